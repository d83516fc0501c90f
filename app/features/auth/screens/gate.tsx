import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { CODE_LENGTH } from "../codes/code.ts";

type GateContextValue = { lifted: number; setLifted: (bars: number) => void };

const GateContext = createContext<GateContextValue>({ lifted: 0, setLifted() {} });

type GateProviderProps = { lifted?: number; children: ReactNode };

/** Holds the number of lifted bars: one for each digit of the code. */
export function GateProvider({ lifted: atFirst = 0, children }: GateProviderProps) {
  const [lifted, setLifted] = useState(atFirst);
  const value = useMemo(() => ({ lifted, setLifted }), [lifted]);
  return <GateContext value={value}>{children}</GateContext>;
}

/** Lifts the first bars of the gate while a screen is shown. */
export function useGate(bars: number): void {
  const { setLifted } = useContext(GateContext);
  // Outside this component: the drawing in the layout.
  useEffect(() => {
    setLifted(bars);
    return () => setLifted(0);
  }, [bars, setLifted]);
}

const BARS = Array.from({ length: CODE_LENGTH }, (_, index) => index);

const DARK = "color-mix(in srgb, var(--color-accent) 36%, #000)";

/** Picture of the sign-in pages: a gate whose six bars lift with the six digits of the code. */
export function Gate() {
  const { lifted } = useContext(GateContext);
  return (
    <svg viewBox="0 0 400 480" aria-hidden="true" preserveAspectRatio="xMidYMax slice">
      <defs>
        <linearGradient id="gate-light" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#ffe7b3" />
          <stop offset="0.55" stopColor="color-mix(in srgb, var(--color-accent) 20%, #fff)" />
          <stop offset="1" stopColor="color-mix(in srgb, var(--color-accent) 5%, #fff)" />
        </linearGradient>
        <clipPath id="gate-opening">
          <path d="M92 480V248a108 108 0 0 1 216 0v232z" />
        </clipPath>
      </defs>
      {[206, 168, 137].map((radius, index) => (
        <path
          key={radius}
          d={`M${200 - radius} 480V248a${radius} ${radius} 0 0 1 ${radius * 2} 0v232`}
          fill={`color-mix(in srgb, var(--color-accent) ${[48, 62, 80][index]}%, #000)`}
        />
      ))}
      <path d="M92 480V248a108 108 0 0 1 216 0v232z" fill="url(#gate-light)" />
      <g clipPath="url(#gate-opening)">
        <path d="M92 480h216l-60-70H152z" fill="var(--color-accent)" fillOpacity="0.18" />
        {BARS.map((bar) => (
          <g key={bar} className="gate-bar" data-lifted={bar < lifted || undefined}>
            <rect x={104 + bar * 34} y="130" width="22" height="330" fill={DARK} />
            <path d={`M${104 + bar * 34} 456h22l-11 22z`} fill={DARK} />
            <path
              d={`M${104 + bar * 34} 290h22m-22 84h22`}
              stroke="var(--color-accent)"
              strokeWidth="6"
            />
          </g>
        ))}
      </g>
    </svg>
  );
}
