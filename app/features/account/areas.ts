import { href } from "react-router";

/** The two areas that have account screens: the same components in two layouts. */
export type Area = "app" | "manager";

export function areaOf(url: Pick<URL, "pathname">): Area {
  return url.pathname.startsWith(href("/manager")) ? "manager" : "app";
}

export function accountPaths(area: Area) {
  return area === "manager"
    ? {
        account: href("/manager/account"),
        confirm: href("/manager/account/confirm"),
        picture: href("/manager/account/picture"),
        data: href("/manager/account/data"),
        deletion: href("/manager/account/delete"),
      }
    : {
        account: href("/app/account"),
        confirm: href("/app/account/confirm"),
        picture: href("/app/account/picture"),
        data: href("/app/account/data"),
        deletion: href("/app/account/delete"),
      };
}
