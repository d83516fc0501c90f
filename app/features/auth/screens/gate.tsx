import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

type GateContextValue = { risen: number; setRisen: (digits: number) => void };

const GateContext = createContext<GateContextValue>({ risen: 0, setRisen() {} });

type GateProviderProps = { risen?: number; children: ReactNode };

/** Holds the height of the sun: one step for each digit of the code. */
export function GateProvider({ risen: atFirst = 0, children }: GateProviderProps) {
  const [risen, setRisen] = useState(atFirst);
  const value = useMemo(() => ({ risen, setRisen }), [risen]);
  return <GateContext value={value}>{children}</GateContext>;
}

/** Lets the sun behind the gate rise by some steps while a screen is shown. */
export function useGate(digits: number): void {
  const { setRisen } = useContext(GateContext);
  // Outside this component: the drawing in the layout.
  useEffect(() => {
    setRisen(digits);
    return () => setRisen(0);
  }, [digits, setRisen]);
}

const OPENING = "M92 480V248a108 108 0 0 1 216 0v232z";

/**
 * Picture of the sign-in pages: an open archway, and behind it a sun that rises with the digits of
 * the code.
 */
export function Gate() {
  const { risen } = useContext(GateContext);
  return (
    <svg viewBox="0 0 400 480" aria-hidden="true" preserveAspectRatio="xMidYMax slice">
      <defs>
        <linearGradient id="gate-light" x2="0" y2="1">
          <stop stopColor="var(--gate-sky)" />
          <stop offset="0.7" stopColor="var(--gate-dawn)" />
        </linearGradient>
        <clipPath id="gate-opening">
          <path d={OPENING} />
        </clipPath>
      </defs>
      {[206, 168, 137].map((radius, index) => (
        <path
          key={radius}
          d={`M${200 - radius} 480V248a${radius} ${radius} 0 0 1 ${radius * 2} 0v232`}
          fill={`var(--gate-${index})`}
        />
      ))}
      <path d={OPENING} fill="url(#gate-light)" />
      <g clipPath="url(#gate-opening)">
        <circle className="gate-sun" cx="200" cy="330" r="36" style={{ "--risen": risen }} />
        <path d="M80 364q64-44 132-12t108-14v142H80z" fill="var(--gate-hill)" />
        <path d="M80 402q60-20 120-8t120-4v90H80z" fill="var(--gate-field)" />
        <path
          d="M140 480c22-36 52-46 46-66-4-12 6-20 22-21-8 8-10 14-4 24 10 18 44 30 56 63z"
          fill="var(--gate-dawn)"
        />
      </g>
    </svg>
  );
}
