/** The folder of the built page, which the service serves. */
export const consoleFolder = new URL('./site/', import.meta.url);
