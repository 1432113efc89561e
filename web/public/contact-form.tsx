import { clsx } from 'clsx';
import { plansOfInterest } from '#domain/contact/plans-of-interest.ts';
import { buttonLook } from '#web/public/button-link.tsx';
import { usePage } from '#web/public/page-context.ts';

const input =
  'w-full min-h-11 rounded-lg border border-field-border bg-background px-3 py-2 text-base aria-[invalid=true]:border-destructive';

/**
 * The form of spec section 2, Contact page. scripts/contact.ts checks and sends it; its texts are
 * in `data-` attributes, so that the script contains none.
 */
export function ContactForm() {
  const { texts, scripts, contact: sending } = usePage();
  const { contact } = texts;
  return (
    <form
      id="contact-form"
      aria-label={contact.formTitle}
      className="rounded-3xl border bg-card p-6 sm:p-10"
      data-send={sending.sendTo ?? undefined}
      data-thanks={sending.sendTo ? contact.thanks : contact.notSent}
      data-offline={contact.offline}
      data-refused={contact.refused}
      data-sending={contact.sending}
    >
      <noscript>
        <p className="mb-6 font-medium text-destructive">{contact.noScript}</p>
      </noscript>
      {!sending.sendTo && <p className="mb-6 font-medium">{contact.noInbox}</p>}
      <p className="mb-6 text-sm text-muted-foreground">{contact.requiredNote}</p>
      <div className="grid gap-x-5 gap-y-5 sm:grid-cols-2">
        <TextField name="firstName" autoComplete="given-name" />
        <TextField name="lastName" autoComplete="family-name" />
        <TextField name="email" type="email" autoComplete="email" wide />
        <TextField name="company" autoComplete="organization" />
        <TextField name="phone" type="tel" autoComplete="tel" />
        <PlanField />
        <MessageField />
      </div>
      <Honeypot />
      <p id="contact-failure" role="alert" className="mt-5 text-destructive empty:hidden" />
      <p id="contact-thanks" role="status" className="mt-5 text-success empty:hidden" />
      <button
        type="submit"
        className={clsx(buttonLook(), 'mt-6 w-full disabled:opacity-60 sm:w-auto')}
      >
        {contact.submit}
      </button>
      <script type="module" src={scripts.contact} />
    </form>
  );
}

interface TextFieldProps {
  name: 'firstName' | 'lastName' | 'email' | 'company' | 'phone';
  type?: 'text' | 'email' | 'tel';
  autoComplete: string;
  wide?: boolean;
}

function TextField({ name, type = 'text', autoComplete, wide = false }: TextFieldProps) {
  const { texts, contact: sending } = usePage();
  const { contact } = texts;
  const missing = name === 'phone' ? undefined : contact.missing[name];
  return (
    <div className={clsx('min-w-0', wide && 'sm:col-span-2')}>
      <label htmlFor={name} className="mb-1.5 block text-sm font-medium">
        {contact.fields[name]}
        {missing && '*'}
      </label>
      <input
        id={name}
        name={name}
        type={type}
        autoComplete={autoComplete}
        required={missing !== undefined}
        maxLength={name === 'email' ? 254 : name === 'phone' ? 40 : 100}
        // The server checks the same rule.
        data-rule={name === 'email' ? sending.emailRule : undefined}
        aria-describedby={missing && `${name}-error`}
        data-missing={missing}
        className={input}
      />
      {missing && (
        <p id={`${name}-error`} className="mt-1.5 text-sm text-destructive empty:hidden" />
      )}
    </div>
  );
}

function PlanField() {
  const { contact } = usePage().texts;
  return (
    <div className="min-w-0 sm:col-span-2">
      <label htmlFor="planInterest" className="mb-1.5 block text-sm font-medium">
        {contact.fields.planInterest}
      </label>
      <select id="planInterest" name="planInterest" className={input}>
        <option value="">{contact.noPlan}</option>
        {plansOfInterest.map((plan) => (
          <option key={plan} value={plan}>
            {contact.planNames[plan]}
          </option>
        ))}
      </select>
    </div>
  );
}

function MessageField() {
  const { contact } = usePage().texts;
  return (
    <div className="min-w-0 sm:col-span-2">
      <label htmlFor="message" className="mb-1.5 block text-sm font-medium">
        {contact.fields.message}
      </label>
      <textarea
        id="message"
        name="message"
        rows={5}
        maxLength={5000}
        placeholder={contact.messageHint}
        className={clsx(input, 'placeholder:text-muted-foreground')}
      />
    </div>
  );
}

/** Hidden and out of the tab order: only a program fills it in. */
function Honeypot() {
  const { contact } = usePage().texts;
  return (
    <div aria-hidden className="absolute -left-[200vw] h-0 overflow-hidden">
      <label htmlFor="website">{contact.fields.website}</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
