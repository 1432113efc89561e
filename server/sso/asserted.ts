import type { SsoCheck, SsoTestResult } from '#domain/sso/contract.ts';

/** The verified claims of an identity provider about a person. */
export interface Asserted {
  /** The provider's identifier for the person, which stays when the address changes. */
  subject: string;
  email: string | null;
  /** False only if the provider denies it explicitly. */
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  claims: Record<string, string[]>;
}

/**
 * A failed check of a provider's response, which refuses the sign-in. `detail` is for the admin who tests.
 */
export class SsoRefusal extends Error {
  readonly check: SsoCheck;

  constructor(check: SsoCheck, detail: string) {
    super(detail);
    this.name = 'SsoRefusal';
    this.check = check;
  }
}

/** Records the checks in order, for display by the test button. */
export class Checks {
  readonly done: SsoTestResult['checks'] = [];

  passed(name: SsoCheck): void {
    this.done.push({ name, passed: true, detail: null });
  }

  /** @throws SsoRefusal when `holds` is false */
  require(name: SsoCheck, holds: boolean, detail: string): void {
    if (!holds) throw new SsoRefusal(name, detail);
    if (!this.done.some((check) => check.name === name)) this.passed(name);
  }

  failed({ check, message }: SsoRefusal): void {
    const others = this.done.filter(({ name }) => name !== check);
    this.done.splice(0, this.done.length, ...others, {
      name: check,
      passed: false,
      detail: message.slice(0, 500),
    });
  }
}
