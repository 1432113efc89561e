import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Person, Reply } from './person.ts';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);

/** A software passkey (WebAuthn Level 3): ES256, no attestation, always claims user verification. */
export class Authenticator {
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';
  #count = 0;

  /** Adds the passkey to the person's account. */
  async addTo(person: Person): Promise<Reply> {
    const asked = await person.send('POST', '/api/user/passkeys/options');
    if (asked.status !== 200) return asked;
    const { challenge, rp, user } = asked.body.optionsJSON;
    this.#userHandle = user.id;
    const length = Buffer.of(0x59, 0, 0);
    const data = Buffer.concat([this.#data(rp.id, 0x45), this.#credential()]);
    length.writeUInt16BE(data.length, 1);
    const attestationObject = Buffer.concat([
      Buffer.of(0xa3),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.of(0xa0), text('authData')],
      ...[length, data],
    ]).toString('base64url');
    const clientDataJSON = clientData('webauthn.create', challenge, person.base);
    const response = { clientDataJSON, attestationObject, transports: ['internal'] };
    return person.send('POST', '/api/user/passkeys', {
      name: 'Laptop',
      response: this.#answer(response),
    });
  }

  /** Signs in with a discoverable credential. */
  async signIn(visitor: Person): Promise<Reply> {
    const asked = await visitor.send('POST', '/api/login/passkey/options');
    const { challenge, rpId } = asked.body.optionsJSON;
    const clientDataJSON = clientData('webauthn.get', challenge, visitor.base);
    const data = this.#data(rpId, 0x05);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const response = {
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle: this.#userHandle,
    };
    return visitor.send('POST', '/api/login/passkey', { response: this.#answer(response) });
  }

  #answer(response: object) {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #data(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#count);
    this.#count += 1;
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count]);
  }

  /** The attested credential: no model, the id, and the key in COSE format (RFC 9053). */
  #credential(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = [Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32])];
    key.push(
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 32]),
      Buffer.from(y, 'base64url'),
    );
    return Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.#id.length), this.#id, ...key]);
  }
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString(
    'base64url',
  );
