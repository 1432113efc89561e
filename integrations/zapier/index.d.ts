import type { App } from 'zapier-platform-core';

declare const app: App;
export default app;
