import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { readSystemStatus, type SystemStatus } from "../features/system/status.server.ts";
import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../runtime/services-context.ts";

const statusContext = createContext<() => Promise<SystemStatus>>();

/** Provides what the product knows about its own running, with one read for the layout's loader and the screen's. */
export const systemStatus: MiddlewareFunction<Response> = ({ context }) => {
  let read: Promise<SystemStatus> | undefined;
  context.set(statusContext, () => {
    const { db, config, features } = context.get(servicesContext);
    const { now } = context.get(requestContext);
    read ??= readSystemStatus(db, config, features.attention, now());
    return read;
  });
};

/** Returns what the product knows about its own running. */
export function getSystemStatus(context: Readonly<RouterContextProvider>): Promise<SystemStatus> {
  return context.get(statusContext)();
}
