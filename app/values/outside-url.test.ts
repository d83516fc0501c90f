import { expect, test } from "vitest";
import { type OutsideRefusal, readOutsideUrl } from "./outside-url.ts";

const OWN = "https://app.gatehouse.dev";

test.each([
  ["https://hooks.acme.org/in?key=1#part", "https://hooks.acme.org/in?key=1"],
  ["  https://hooks.acme.org  ", "https://hooks.acme.org/"],
  ["https://HOOKS.acme.org.:443/a/../b", "https://hooks.acme.org/b"],
  ["https://bücher.de/in", "https://xn--bcher-kva.de/in"],
  ["https://notgatehouse.dev/in", "https://notgatehouse.dev/in"],
  ["https://hooks-1a2b3c4d.acme.org/", "https://hooks-1a2b3c4d.acme.org/"],
  ["https://main--acme.netlify.app/", "https://main--acme.netlify.app/"],
  ["https://localhost.acme.org/in", "https://localhost.acme.org/in"],
  ["https://receiver.acme.workers.dev/", "https://receiver.acme.workers.dev/"],
  ["https://1e100.net/", "https://1e100.net/"],
])("%s may be asked", (text, url) => {
  expect(readOutsideUrl(text, OWN)).toEqual({ ok: true, url });
});

const HOSTILE: Record<OutsideRefusal, string[]> = {
  invalid: [
    ...["", "hooks.acme.org", "//hooks.acme.org", "https://", "https:///", "https://a b.org/"],
    ...[
      "https://hooks.acme.org:99999/",
      "https://256.256.256.256/",
      "https://[::1",
      "https://%00/",
    ],
    ...["https://127.0.0.1.1/", "https://0x100000000/", "https://exa%mple.org/", "https://0xg.1/"],
  ],
  notHttps: [
    ...["http://hooks.acme.org/", "ftp://hooks.acme.org/", "file:///etc/passwd", "data:,x"],
    ...["gopher://127.0.0.1:6379/_FLUSHALL", "javascript:alert(1)", "ws://hooks.acme.org/"],
    ...["blob:https://hooks.acme.org/1", "view-source:https://hooks.acme.org/"],
  ],
  credentials: [
    ...["https://user@hooks.acme.org/", "https://user:pass@hooks.acme.org/"],
    "https://:pass@hooks.acme.org/",
  ],
  port: [
    ...["https://hooks.acme.org:80/", "https://hooks.acme.org:8443/", "https://hooks.acme.org:22/"],
    "https://hooks.acme.org:6379/",
  ],
  ipAddress: [
    // Hosts that are refused whatever the scheme, port or user name.
    ...["https://127.0.0.1:8787/", "http://127.0.0.1/", "https://hooks.acme.org@127.0.0.1/"],
    // IPv4: loopback, private, link-local, carrier NAT, multicast, reserved, unspecified, broadcast, and a public one.
    ...["https://127.0.0.1/", "https://127.1/", "https://127.255.255.254/", "https://10.0.0.1/"],
    ...["https://172.16.0.1/", "https://192.168.1.1/", "https://169.254.169.254/latest/meta-data/"],
    ...["https://100.64.0.1/", "https://224.0.0.1/", "https://240.0.0.1/", "https://0.0.0.0/"],
    ...["https://255.255.255.255/", "https://192.0.2.1/", "https://198.18.0.1/", "https://0/"],
    ...["https://1.1.1.1/", "https://168.63.129.16/", "https://192.0.0.192/"],
    // In decimal, hexadecimal, octal, and mixed; with other digits and dots; escaped.
    ...["https://2130706433/", "https://0x7f000001/", "https://017700000001/", "https://0x7f.1/"],
    ...["https://0177.0.0.1/", "https://127.0x0.1/", "https://3232235777/", "https://0xa9fea9fe/"],
    ...[
      "https://１２７.０.０.１/",
      "https://①②⑦.⓪.⓪.①/",
      "https://127。0。0。1/",
      "https://%31%32%37.0.0.1/",
    ],
    ...["https://127.0.0.1./", "https://127.0.0.1%2e/"],
    // IPv6: loopback, unspecified, private, link-local, mapped, compatible, NAT64, 6to4, Teredo,
    // multicast, a public one.
    ...["https://[::1]/", "https://[::]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/"],
    ...["https://[fe80::1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/"],
    ...["https://[::127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::a00:1]/"],
    ...["https://[2002:7f00:1::]/", "https://[2001:0:7f00:1::]/", "https://[ff02::1]/"],
    ...["https://[0:0:0:0:0:0:0:1]/", "https://[2606:4700:4700::1111]/", "https://[fec0::1]/"],
    // Names that carry an IP address.
    ...[
      "https://127.0.0.1.nip.io/",
      "https://app-10-0-0-1.sslip.io/",
      "https://192-168-1-1.acme.org/",
    ],
    ...[
      "https://7f000001.nip.io/",
      "https://app-c0a80101.acme.org/",
      "https://0xa9fea9fe.acme.org/",
    ],
    ...["https://--1.sslip.io/", "https://--1.acme.org/", "https://fd00--5.acme.org/"],
    ...["https://2001-db8-0-0-0-0-0-1.acme.org/", "https://1.0.0.127.in-addr.arpa/"],
  ],
  notPublic: [
    // Names of the machine, of private networks and of clouds.
    ...[
      "https://localhost/",
      "https://LOCALHOST./",
      "https://app.localhost/",
      "https://localhost。/",
    ],
    ...[
      "https://ｌｏｃａｌｈｏｓｔ/",
      "https://printer.local/",
      "https://db.internal/",
      "https://intranet/",
    ],
    ...["https://router.lan/", "https://nas.home/", "https://x.home.arpa/", "https://dc1.corp/"],
    ...["https://box.localdomain/", "https://metadata.google.internal/", "https://metadata/"],
    ...["https://metadata.azure.com/", "https://instance-data.ec2.internal/", "https://a.onion/"],
    ...["https://site.test/", "https://a..b.org/", "https://localtest.me/", "https://app.lvh.me/"],
    ...[
      "http://localhost:3000/",
      "https://localhost:8898/",
      "https://hooks.acme.org%2F@localhost/",
    ],
    "https://built-in-bin/",
    // Names inside a cluster.
    ...["https://kubernetes.default.svc/", "https://web.default.svc.cluster/"],
    ...["https://web.default.svc.cluster.local/", "https://consul.service.consul/"],
  ],
  own: [
    ...["https://app.gatehouse.dev/", "https://APP.gatehouse.dev./api/v1/events"],
    ...["https://app.gatehouse.dev:443/", "https://ａpp.gatehouse.dev/"],
  ],
  ownDomain: [
    ...["https://gatehouse.dev/", "https://grafana.gatehouse.dev/api/admin?x=1"],
    ...["https://x.app.gatehouse.dev/", "https://a.b.GATEHOUSE.dev./", "https://*.gatehouse.dev/"],
  ],
};

const corpus = Object.entries(HOSTILE).flatMap(([why, urls]) => urls.map((url) => [url, why]));

test.each(corpus)("%s is refused: %s", (url = "", why) => {
  expect(readOutsideUrl(url, OWN)).toEqual({ ok: false, why });
});

test.each([
  ["https://gatehouse.acme.workers.dev", "other.acme.workers.dev", "gatehouse.else.workers.dev"],
  ["https://gatehouse.pages.dev", "1a2b.gatehouse.pages.dev", "else.pages.dev"],
  ["https://app.acme.co.uk", "vpn.acme.co.uk", "else.co.uk"],
  ["https://app.acme.co.ke", "acme.co.ke", "else.co.ke"],
  ["https://acme.org", "vpn.acme.org", "acme.org.uk"],
])("a site at %s does not send to %s, but to %s", (own, same, other) => {
  expect(readOutsideUrl(`https://${same}/`, own)).toEqual({ ok: false, why: "ownDomain" });
  expect(readOutsideUrl(`https://${other}/`, own).ok).toBe(true);
});

test("below a suffix that is not listed, more is refused and not less", () => {
  expect(readOutsideUrl("https://else.gov.nr/", "https://app.acme.gov.nr")).toEqual({
    ok: false,
    why: "ownDomain",
  });
});

test("a host of the own domain that is allowed by name is asked, and no other", () => {
  const allowed = ["hooks.gatehouse.dev", "app.gatehouse.dev"];
  const read = (host: string) => readOutsideUrl(`https://${host}/`, OWN, { allowedHosts: allowed });

  expect(read("HOOKS.gatehouse.dev.")).toEqual({ ok: true, url: "https://hooks.gatehouse.dev/" });
  expect(read("x.hooks.gatehouse.dev")).toEqual({ ok: false, why: "ownDomain" });
  expect(read("app.gatehouse.dev")).toEqual({ ok: false, why: "own" });
});

const LOCAL_OWN = "http://localhost:8787";
const LOCAL = { isLocal: true };

test.each([
  ["http://localhost:3000/in#part", "http://localhost:3000/in"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000/"],
  ["http://[::1]:3000/", "http://[::1]:3000/"],
  ["https://localhost:8443/in?key=1", "https://localhost:8443/in?key=1"],
  ["http://localhost/", "http://localhost/"],
  ["https://hooks.acme.org/in", "https://hooks.acme.org/in"],
])("on a local site %s may be asked", (text, url) => {
  expect(readOutsideUrl(text, LOCAL_OWN, LOCAL)).toEqual({ ok: true, url });
  const elsewhere = readOutsideUrl(text, OWN);
  expect(elsewhere.ok).toBe(url.includes("acme.org"));
});

test.each([
  ["http://localhost:8787/api/v1/events", "own"],
  ["http://127.0.0.1:8787/", "own"],
  ["https://[::1]:8787/", "own"],
  ["http://me:secret@localhost:3000/", "credentials"],
  ["http://10.0.0.1:3000/", "ipAddress"],
  ["http://0.0.0.0:3000/", "ipAddress"],
  ["http://[::ffff:127.0.0.1]:3000/", "ipAddress"],
  ["http://printer.local:3000/", "notPublic"],
  ["http://localhost.evil.example:3000/", "notPublic"],
  ["http://hooks.acme.org/", "notHttps"],
  ["ftp://localhost/", "notHttps"],
])("a local site too refuses %s: %s", (url, why) => {
  expect(readOutsideUrl(url, LOCAL_OWN, LOCAL)).toEqual({ ok: false, why });
});

test("the corpus is large", () => {
  expect(new Set(corpus.map(([url]) => url)).size).toBeGreaterThanOrEqual(100);
});
