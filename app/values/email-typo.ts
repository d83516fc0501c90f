/** Providers of many mailboxes whose names are often mistyped. */
const OFTEN_MEANT = [
  ...[
    "gmail.com",
    "googlemail.com",
    "yahoo.com",
    "yahoo.fr",
    "ymail.com",
    "hotmail.com",
    "hotmail.fr",
  ],
  ...["outlook.com", "outlook.fr", "icloud.com", "proton.me", "protonmail.com", "orange.fr"],
  ...["wanadoo.fr", "laposte.net", "comcast.net", "verizon.net", "btinternet.com"],
];

/** Other providers whose names differ from one above by one letter. */
const AS_TYPED = ["mail.com", "email.com", "hotmail.de", "yahoo.de", "outlook.de"];

/** Returns an e-mail with the domain that was probably meant; undefined unless one letter is wrong. */
export function meantEmail(email: string): string | undefined {
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  if (OFTEN_MEANT.includes(domain) || AS_TYPED.includes(domain)) return undefined;
  const meant = OFTEN_MEANT.find((known) => isOneSlip(domain, known));
  return meant && email.slice(0, at) + meant;
}

/** True when one letter is missing, too many or another, or two neighbours changed places. */
function isOneSlip(typed: string, meant: string): boolean {
  let start = 0;
  while (start < typed.length && typed[start] === meant[start]) start += 1;
  const [left, right] = [typed.slice(start), meant.slice(start)];
  return (
    left === right.slice(1) ||
    left.slice(1) === right ||
    left.slice(1) === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}
