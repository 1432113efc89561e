/** The localStorage key of the person's last choice on this device. */
export const rememberedKey = 'rapport.meet';
