import "./progress-bar.css";

type ProgressBarProps = { label: string; done: number; total: number };

/** How much of something is done, as a bar. The figures stand beside it. */
export function ProgressBar({ label, done, total }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={done}
      max={Math.max(1, total)}
      className="progress-bar h-2 w-full min-w-0 grow"
    />
  );
}
