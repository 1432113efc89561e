/** A mail as it is sent; `from` is the installation's own. */
export interface Mail {
  /** Ours, kept through retries: becomes the Message-ID (RFC 5322). */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** What takes a mail off our hands. */
export interface MailCarrier {
  /** Whether mails leave this machine: without it links are shown where they are needed. */
  readonly leavesMachine: boolean;
  /** Resolves once somebody else has taken charge of the mail. @throws when nobody has */
  send(mail: Mail): Promise<void>;
}
