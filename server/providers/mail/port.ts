/** A mail to send; `from` is the installation's own. */
export interface Mail {
  /** Generated, and kept across retries: becomes the Message-ID (RFC 5322). */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Ends mails of this kind for the recipient by one POST (RFC 8058); null where there is no such choice. */
  unsubscribeUrl: string | null;
}

/** A mail with the images that its HTML names by their Content-IDs. */
export interface SentMail extends Mail {
  attachments?: { cid: string; content: Buffer; contentType: string }[];
}

/** Delivers mails. */
export interface MailCarrier {
  /** Whether mails leave this machine. If not, pages show their links where they are needed. */
  readonly leavesMachine: boolean;
  /**
   * Resolves once the mail was handed over for delivery.
   * @throws when it was not
   */
  send(mail: SentMail): Promise<void>;
}
