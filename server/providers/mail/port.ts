/** A mail to send; `from` is the installation's own. */
export interface Mail {
  /** Generated, and kept across retries: becomes the Message-ID (RFC 5322). */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Delivers mails. */
export interface MailCarrier {
  /** Whether mails leave this machine. If not, pages show their links where they are needed. */
  readonly leavesMachine: boolean;
  /**
   * Resolves once the mail was handed over for delivery.
   * @throws when it was not
   */
  send(mail: Mail): Promise<void>;
}
