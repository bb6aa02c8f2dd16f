export type { MailKind } from './kinds.js';
export { createMailer, type Mailer, type MailerStartOptions, type MailPreview } from './mailer.js';
export type { MailMessage, MailSide, MailTemplate, MailTransport } from './message.js';
export type { MailerOptions, MailReceiver, MailTemplates, PartnerAddress } from './options.js';
export type { MailRefusal } from './refusals.js';
