/** The folder of the built page, for the service to serve. */
export const consoleFolder = new URL('./site/', import.meta.url);
