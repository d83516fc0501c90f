import { createContext } from "react-router";
import type { Services } from "../worker/services.server.ts";

/** Services in the context of each request; the worker's entry puts them there. */
export const servicesContext = createContext<Services>();
