import { href } from "react-router";

/** The two areas that hold the account screens: one set of pieces, two layouts. */
export type Area = "app" | "manager";

/** The area that an address is in. */
export function areaOf(url: URL): Area {
  return url.pathname.startsWith(href("/manager")) ? "manager" : "app";
}

/** Where the account's screens are in an area. */
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
