import { createRequire } from 'node:module';
import { creates, searches } from './actions.js';
import { addToken, authentication, explainRefusal } from './authentication.js';
import { triggers } from './triggers.js';

const require = createRequire(import.meta.url);

export default {
  version: require('./package.json').version,
  platformVersion: require('zapier-platform-core/package.json').version,
  authentication,
  beforeRequest: [addToken],
  afterResponse: [explainRefusal],
  triggers,
  creates,
  searches,
};
