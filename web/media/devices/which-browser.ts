/** Site permissions are changed in a different place in each of these. */
export type Browser = 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';
export type System = 'windows' | 'mac' | 'linux' | 'android' | 'ios';
export type Program = { browser: Browser; system: System };

/** Parses the user agent. An iPad claims to be a Mac, and has touch points. */
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

/** The sets of instructions for a blocked site. */
export type SiteHelp = 'chrome' | 'edge' | 'firefox' | 'safari' | 'android' | 'ios' | 'other';

export function siteHelpOf({ browser, system }: Program): SiteHelp {
  if (system === 'ios') return 'ios';
  if (system === 'android' && browser !== 'firefox') return 'android';
  return browser;
}
