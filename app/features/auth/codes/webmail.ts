/** Mail services that people read in the browser, with the domains of their e-mails. */
const SERVICES = [
  { name: "Gmail", url: "https://mail.google.com/mail/", domains: /^(gmail|googlemail)\.com$/ },
  {
    name: "Outlook",
    url: "https://outlook.live.com/mail/",
    domains: /^((outlook|hotmail|live)\.(com|fr|co\.uk)|msn\.com)$/,
  },
  { name: "Yahoo Mail", url: "https://mail.yahoo.com/", domains: /^(yahoo\.(com|fr)|ymail\.com)$/ },
  { name: "iCloud Mail", url: "https://www.icloud.com/mail", domains: /^(icloud|me|mac)\.com$/ },
  {
    name: "Proton Mail",
    url: "https://mail.proton.me/",
    domains: /^(proton\.me|protonmail\.com|pm\.me)$/,
  },
];

/** Returns the service where an e-mail can be read in the browser; undefined for an unknown domain. */
export function webmailOf(email: string): { name: string; url: string } | undefined {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const service = SERVICES.find(({ domains }) => domains.test(domain));
  return service && { name: service.name, url: service.url };
}
