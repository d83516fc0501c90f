import { createContext } from "react-router";
import type { Identity, SessionAnswer } from "../../worker/gatehouse.d.ts";

/** Who sent the request. */
export const askedContext = createContext<SessionAnswer>();

/** The binding, for what else a page asks. */
export const gatehouseContext = createContext<Identity>();
