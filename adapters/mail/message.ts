/** A message that is ready to be sent: `sendMail` of nodemailer takes it as it is. */
export interface MailMessage {
  readonly from: string;
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** From the event and the side it goes to: a message that is sent again has it too. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends messages; a transport of nodemailer is one. */
export interface MailTransport {
  /**
   * Rejects if the message was not taken: it is sent again later, unless the error says by its
   * members (`MailRefusal`) that the receiver or the content was refused for good. Give it time limits of its own that
   * are shorter than the `timeout` of the mailer: while it does not end, a retry waits for it, and
   * after half an hour it is taken for lost, and the message is sent again.
   */
  sendMail(message: MailMessage): PromiseLike<unknown>;
}

/** The side of a deal that a message goes to. */
export type MailSide = 'freelancer' | 'partner';

/** The words of one kind of message in one language. */
export interface MailTemplate {
  /** Text with slots such as `{title}`. */
  readonly subject: string;
  /**
   * Text with slots. One that has a slot without a value is left out. `{reason}` and `{message}` at
   * the end of a paragraph are shown as quotations below the rest of it.
   */
  readonly paragraphs: readonly string[];
}

/** The values of slots, in words; one without a value is missing. */
export type Slots = Readonly<Partial<Record<string, string>>>;
