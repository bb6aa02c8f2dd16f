/**
 * Why a transport did not take a message, as far as its error says: that of nodemailer says all of
 * it, and that of another transport needs only `responseCode`.
 */
export interface MailRefusal {
  /** The code of the reply (RFC 5321), such as 550. */
  readonly responseCode?: number;
  /** The command of SMTP that was refused; absent: the message. */
  readonly command?: string;
  /** The reply, which may begin with an enhanced code (RFC 3463), such as `550 5.1.1 No such user`. */
  readonly response?: string;
}

/** A bad sequence or an unknown command, or a login that is missing or wrong. */
const ofSession = [500, 502, 503, 504, 530, 534, 535, 538];

/** The address of the sender, the protocol, or a policy about who sends. */
const ofSender = /^5\d\d[ -]5\.(?:1\.[78]|5\.\d+|7\.\d+)\b/;

/** A policy about this content, if the whole message was sent. */
const ofContent = /^5\d\d[ -]5\.7\.1\b/;

/**
 * Whether a message was refused for good: the server has answered 5yz to the address of the receiver
 * or to the content. A refusal of who sends (its login, its address, its right to send) concerns
 * every message, and ends when the host has mended its set-up. Then, and after 4yz or without an
 * answer, the message is tried again.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode = 0, command = 'DATA', response = '' } = Object(error) as MailRefusal;
  if (responseCode < 500 || responseCode > 599 || ofSession.includes(responseCode)) return false;
  if (command === 'DATA') return !ofSender.test(response) || ofContent.test(response);
  return command === 'RCPT TO' && !ofSender.test(response);
}

/** What a transport answers: nodemailer resolves if a server refuses the receiver after the content (LMTP). */
interface Sent {
  readonly rejected?: unknown;
  readonly rejectedErrors?: readonly unknown[];
}

/** Throws if the transport has answered that it did not take the message for its only receiver. */
export function refusedIn(sent: unknown): void {
  const { rejected, rejectedErrors = [] } = Object(sent) as Sent;
  if (!Array.isArray(rejected) || rejected.length === 0) return;
  throw rejectedErrors[0] ?? new Error('the receiver was refused');
}
