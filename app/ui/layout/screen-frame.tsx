import { ScreenHeader } from "./screen-header.tsx";

type ScreenFrameProps = {
  /** Title of the screen; undefined while it is not known, such as a user's name. */
  title: string | undefined;
  isList: boolean;
};

const boxClass = "rounded-md border border-line bg-panel";

const LINES = Array.from({ length: 10 }, (_, index) => index);

/** The outline of a screen that is loading: its title, and bars where its content will be. */
export function ScreenFrame({ title, isList }: ScreenFrameProps) {
  return (
    <div aria-hidden="true" className="grid gap-4">
      <ScreenHeader title={title ?? <span className="block h-6 w-48 rounded-md bg-fill" />} />
      {isList ? (
        <div className="grid gap-3">
          <div className="h-control max-w-80 rounded-md bg-fill" />
          <div className={boxClass}>
            <div className="h-9 pointer-coarse:h-11" />
            {LINES.map((line) => (
              <div key={line} className="frame-line flex h-18 items-center px-3 md:h-11">
                <Bar />
              </div>
            ))}
          </div>
        </div>
      ) : (
        <div className={`${boxClass} grid gap-4 p-6`}>
          <Bar />
          <Bar />
          <Bar />
        </div>
      )}
    </div>
  );
}

function Bar() {
  return <span className="block h-3 w-2/5 rounded-md bg-fill" />;
}
