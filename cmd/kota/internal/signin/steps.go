package signin

// ClientSteps explains how to make the OAuth client that mail and calendar
// need. The program contains it for people without the documentation.
const ClientSteps = `How to make an OAuth client, once, in Google's console, https://console.cloud.google.com/:

  1. A project: New project, call it kota, and select it.
  2. The APIs: APIs & Services → Library → Gmail API → Enable, and the same for
     Google Calendar API.
  3. Who may use it: Google Auth Platform → Get started: a name for the app, your
     address twice, and the audience External. For an account of your company take
     Internal, and leave out step 4.
  4. Publish it: Google Auth Platform → Audience → Publish app. In testing, Google
     ends every sign-in after seven days.
  5. The client: Google Auth Platform → Clients → Create client, of the type Desktop
     app. Download the JSON in that dialog: Google shows the secret this one time.
  6. Run ` + "`kota auth client FILE`" + ` with that file, then ` + "`kota auth login`" + `.
`
