/** Where a site's permissions are changed differs by these. */
export type Browser = 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';
export type System = 'windows' | 'mac' | 'linux' | 'android' | 'ios';
export type Program = { browser: Browser; system: System };

/** Read from what the browser calls itself; an iPad says that it is a Mac, and has fingers. */
export function whichBrowser(agent: string, fingers: number): Program {
  return { browser: browserOf(agent), system: systemOf(agent, fingers) };
}

function browserOf(agent: string): Browser {
  if (/Edg(e|A|iOS)?\//.test(agent)) return 'edge';
  if (/Firefox\/|FxiOS\//.test(agent)) return 'firefox';
  if (/OPR\/|SamsungBrowser\//.test(agent)) return 'other';
  if (/Chrome\/|CriOS\/|Chromium\//.test(agent)) return 'chrome';
  return /Safari\//.test(agent) ? 'safari' : 'other';
}

function systemOf(agent: string, fingers: number): System {
  if (/Android/.test(agent)) return 'android';
  if (/iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && fingers > 1)) return 'ios';
  if (/Windows/.test(agent)) return 'windows';
  return /Macintosh/.test(agent) ? 'mac' : 'linux';
}

/** Of the instructions for a site that is blocked, those for this browser. */
export type SiteHelp = 'chrome' | 'edge' | 'firefox' | 'safari' | 'android' | 'ios' | 'other';

export function siteHelpOf({ browser, system }: Program): SiteHelp {
  if (system === 'ios') return 'ios';
  if (system === 'android' && browser !== 'firefox') return 'android';
  return browser;
}
