import { readFileSync } from 'node:fs';
import core from 'zapier-platform-core';
import { creates, searches } from './actions.js';
import { addToken, authentication, explainRefusal } from './authentication.js';
import { triggers } from './triggers.js';

export default {
  version: JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version,
  platformVersion: core.version,
  authentication,
  beforeRequest: [addToken],
  afterResponse: [explainRefusal],
  triggers,
  creates,
  searches,
};
