import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { NoticeLine } from "../../ui/feedback/notice-line.tsx";
import { ProgressBar } from "../../ui/feedback/progress-bar.tsx";
import { RetryLink } from "../../ui/feedback/retry-link.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { CopyButton, CopyIcon } from "../../ui/forms/copy-button.tsx";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { NewLink } from "../../ui/layout/new-link.tsx";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { PartLinks } from "../../ui/layout/part-links.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { Amount, Day } from "../../ui/text/amount.tsx";
import { Avatar, PictureOrInitials } from "../../ui/text/avatar.tsx";
import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Fact, ShortFacts } from "../../ui/text/fact.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { IconDisc } from "../../ui/text/icon-disc.tsx";
import { ICON_NAMES } from "../../ui/text/icon-names.ts";
import { Labelled } from "../../ui/text/labelled.tsx";
import { Logo, LogoMark } from "../../ui/text/logo.tsx";
import { PermissionTable } from "../../ui/text/permission-table.tsx";
import { RecordJson } from "../../ui/text/record-json.tsx";
import { DetailTime, RelativeTime } from "../../ui/text/relative-time.tsx";
import { SessionFacts } from "../../ui/text/session-facts.tsx";
import { ShortLink } from "../../ui/text/short-link.tsx";
import { StateDisc } from "../../ui/text/state-disc.tsx";
import { WithWholeValue } from "../../ui/text/with-whole-value.tsx";
import { You } from "../../ui/text/you.tsx";
import { EMAIL, NOW, SENTENCE, type Story } from "./samples.ts";

const COLORS = [
  ...["page", "panel", "sunken", "raised", "fill", "fill-hover", "fill-active"],
  ...["line", "line-button", "line-strong", "ink", "muted", "on-accent"],
  ...["accent", "accent-hover", "accent-ink", "accent-fill", "accent-line"],
  ...["danger", "danger-solid", "danger-fill", "danger-line"],
  ...["success", "success-fill", "success-line", "warning", "warning-fill", "warning-line"],
];

const SIZES = ["text-xs", "text-sm", "text-base", "text-lg", "text-xl", "text-2xl"];

const SESSION = {
  place: "KE",
  ipAddress: "203.0.113.7",
  createdAt: new Date("2026-11-18T08:00:00Z"),
  lastSeenAt: new Date("2026-11-21T20:00:00Z"),
};

/** What is read: colours, type, small parts and the parts of a screen. */
export const ELEMENT_STORIES: Record<string, Story> = {
  colors: () =>
    COLORS.map((name) => (
      <span key={name} className="grid w-24 gap-1 text-xs">
        <span
          className="h-9 rounded-md border border-line"
          style={{ background: `var(--color-${name})` }}
        />
        {name}
      </span>
    )),
  type: () =>
    SIZES.map((size) => (
      <p key={size} className="w-full" style={{ fontSize: `var(--${size})` }}>
        {SENTENCE}
      </p>
    )),
  logo: () => (
    <>
      <Logo />
      <LogoMark />
    </>
  ),
  icon: () =>
    ICON_NAMES.map((name) => (
      <span key={name} title={name}>
        <Icon name={name} />
      </span>
    )),
  button: () => (
    <>
      {(["primary", "secondary", "quiet", "danger"] as const).map((variant) => (
        <Button key={variant} type="button" variant={variant}>
          {variant}
        </Button>
      ))}
      <Button type="button">
        <Icon name="plus" className="size-4" />
        icon
      </Button>
      <Button type="button" isSmall>
        isSmall
      </Button>
      <Button type="button" isBusy>
        isBusy
      </Button>
      <Button type="button" disabled>
        disabled
      </Button>
      <ButtonLink to=".">ButtonLink</ButtonLink>
    </>
  ),
  badge: () => (
    <>
      <Badge tone="border-line bg-sunken">sunken</Badge>
      <Badge tone="border-accent-line bg-accent-fill">accent</Badge>
      <Badge tone="border-success-line bg-success-fill">success</Badge>
      <Badge tone="border-warning-line bg-warning-fill">warning</Badge>
      <Badge tone="border-danger-line bg-danger-fill">danger</Badge>
      <QuietState>QuietState</QuietState>
      <You />
    </>
  ),
  avatar: () => (
    <>
      <Avatar name="Lina Haddad" email={EMAIL} avatar={null} />
      <Avatar name="زهراء الزين" email="zahra@example.com" avatar={null} size="lg" />
      <PictureOrInitials
        name="Lina"
        hueSource="lina"
        picture={{ src: "/icon-180.png", isBare: false }}
      />
      <PictureOrInitials name="Nyumbani" hueSource="nyumbani" picture={null} isLogo />
    </>
  ),
  "icon-disc": () => (
    <>
      <IconDisc name="key-round" />
      <IconDisc name="ban" isSevere />
    </>
  ),
  "state-disc": () => (
    <>
      <StateDisc name="check" tone="success" />
      <StateDisc name="clock" tone="danger" />
    </>
  ),
  "relative-time": () => (
    <>
      {[0, 50, 5_000, 500_000].map((minutes) => (
        <RelativeTime key={minutes} date={new Date(NOW.getTime() - minutes * 60_000)} now={NOW} />
      ))}
      <DetailTime date={new Date("2026-03-12T14:03:00Z")} now={NOW} />
    </>
  ),
  amount: () => (
    <>
      {["EUR", "JPY", "KWD"].map((currency) => (
        <Amount key={currency} money={{ amount: -1_234_567, currency }} />
      ))}
      <Day day="2026-11-28" />
    </>
  ),
  "email-text": () => (
    <p className="w-42">
      <EmailText>lina.haddad.el-amrani@mail.example.com</EmailText>
    </p>
  ),
  dotted: () => (
    <Dotted>
      <span>One</span>
      <span>two</span>
      <span>three</span>
    </Dotted>
  ),
  labelled: () => <Labelled label="Theme">Dark</Labelled>,
  "short-link": () => <ShortLink link="https://git.example.com/gatehouse/" />,
  "with-whole-value": () => (
    <p className="max-w-60">
      <WithWholeValue text={(value) => `${SENTENCE} ${value}.`}>
        <bdi>{EMAIL}</bdi>
      </WithWholeValue>
    </p>
  ),
  "copy-button": () => (
    <>
      <CopyButton text={EMAIL} label="Copy" />
      <CopyIcon text={EMAIL} label="Copy" />
    </>
  ),
  spinner: () => <Spinner />,
  "progress-bar": () => <ProgressBar label="Progress" done={2} total={5} />,
  notice: () =>
    (["info", "success", "warning", "error"] as const).map((kind) => (
      <Notice key={kind} kind={kind}>
        {SENTENCE}
      </Notice>
    )),
  "notice-line": () => (
    <>
      <NoticeLine>{SENTENCE}</NoticeLine>
      <NoticeLine isError actions={<Button type="button">Try again</Button>}>
        {SENTENCE}
      </NoticeLine>
    </>
  ),
  "empty-state": () => (
    <EmptyState title="No repositories" text={SENTENCE}>
      <ButtonLink to=".">Back</ButtonLink>
    </EmptyState>
  ),
  "retry-link": () => <RetryLink label="Try again" />,
  disclosure: () => (
    <Disclosure title="More">
      <p>{SENTENCE}</p>
    </Disclosure>
  ),
  panel: () => (
    <>
      <Panel title="Panel" intro={SENTENCE} action={<PanelLink to=".">All</PanelLink>} />
      <Panel isBeside title="isBeside" intro={SENTENCE}>
        <p>{SENTENCE}</p>
      </Panel>
    </>
  ),
  fact: () => (
    <>
      <ShortFacts>
        <Fact term="Name">Lina Haddad</Fact>
        <Fact term="Role">Admin</Fact>
      </ShortFacts>
      <dl className="grid grid-cols-2 gap-4">
        <Fact term="About">{SENTENCE}</Fact>
      </dl>
    </>
  ),
  "session-facts": () => (
    <>
      <SessionFacts session={SESSION} now={NOW} />
      <SessionFacts session={SESSION} isThisOne now={NOW} />
    </>
  ),
  "permission-table": () => (
    <PermissionTable
      label="permission-table"
      roles={["Admin", "Support"]}
      groups={[
        { key: "a", permissions: [{ key: "read", name: "Read", isAllowed: [true, true] }] },
        {
          key: "b",
          title: "Users",
          permissions: [{ key: "ban", name: "Ban", isAllowed: [true, false] }],
        },
      ]}
      texts={{ permission: "Permission", allowed: "Yes", notAllowed: "No" }}
    />
  ),
  "record-json": () => (
    <RecordJson record={{ name: "Lina", age: null }} facts={<Fact term="Name">Lina</Fact>} />
  ),
  "screen-header": () => (
    <ScreenHeader title="Repositories" badges={<Badge tone="border-line bg-sunken">Badge</Badge>}>
      <NewLink to=".">New repository</NewLink>
    </ScreenHeader>
  ),
  "part-links": () => (
    <PartLinks
      label="part-links"
      parts={["One", "Two", "Three"].map((label, index) => ({
        to: `?${index}`,
        label,
        isCurrent: index === 0,
      }))}
    />
  ),
};
