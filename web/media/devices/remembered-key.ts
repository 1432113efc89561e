/** Where the browser keeps what somebody chose last time on this device. */
export const rememberedKey = 'rapport.meet';
