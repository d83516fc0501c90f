import { createContext } from "react-router";
import type { Services } from "../worker/services.server.ts";

/** The parts of the worker, as the worker's entry puts them into the context of each request. */
export const servicesContext = createContext<Services>();
