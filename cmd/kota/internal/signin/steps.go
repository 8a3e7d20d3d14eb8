package signin

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ConsoleURL is the address of Google's console.
const ConsoleURL = "https://console.cloud.google.com/"

// Step is one step in Google's console on the way to an OAuth client.
type Step struct {
	Title string
	Pages []Page   // the pages of the step, in the order of their use
	Do    []string // what to do there: plain sentences
}

// Page is one page of Google's console.
type Page struct{ Title, URL string }

// ClientSteps returns the steps that make the OAuth client that mail and
// calendar need. The last one ends with its JSON file on the user's machine.
func ClientSteps() []Step {
	return []Step{
		{
			Title: "Create a project",
			Pages: []Page{{"New project", ConsoleURL + "projectcreate"}},
			Do:    []string{"Call the project kota, choose Create, and select it."},
		},
		{
			Title: "Enable the APIs",
			Pages: []Page{{"Enable the APIs of Gmail, Calendar and People", ConsoleURL + "flows/enableapi?apiid=gmail.googleapis.com,calendar-json.googleapis.com,people.googleapis.com"}},
			Do: []string{
				"Choose the project kota, then Next and Enable.",
				"Without the link: APIs & Services → Library → Gmail API → Enable, and the same for Google Calendar API and, for contacts, People API.",
			},
		},
		{
			Title: "Say who may use it",
			Pages: []Page{{"Overview", ConsoleURL + "auth/overview"}, {"Audience", ConsoleURL + "auth/audience"}},
			Do: []string{
				"Google Auth Platform → Get started: enter a name for the app, your address twice, and the audience External.",
				"For an account of your company choose Internal instead. This step is complete then.",
				"Google Auth Platform → Audience → Publish app. Google needs no review for up to 100 users.",
				"In testing, Google ends every sign-in after seven days, even if you publish later. To stay in testing, add your address under Test users.",
			},
		},
		{
			Title: "Create an OAuth client",
			Pages: []Page{{"Create client", ConsoleURL + "auth/clients/create"}},
			Do: []string{
				"Google Auth Platform → Clients → Create client: choose the type Desktop app, then Create.",
				"Leave the dialog open for the next step.",
			},
		},
		{
			Title: "Download its JSON file",
			Pages: []Page{{"Clients", ConsoleURL + "auth/clients"}},
			Do: []string{
				"Choose Download JSON in that dialog: Google shows the secret only once.",
				"If you closed the dialog, open the client, choose Add secret, and download the JSON there.",
			},
		},
	}
}

// ClientStepsText is ClientSteps as text for a terminal, with the commands that
// follow. The program contains it for people without the documentation.
func ClientStepsText() string {
	var text strings.Builder
	fmt.Fprintf(&text, "How to make an OAuth client, once, in Google's console, %s:\n", ConsoleURL)
	for i, step := range ClientSteps() {
		fmt.Fprintf(&text, "\n%s", step.Text(i+1))
	}
	text.WriteString("\n`kota auth setup` walks through these steps. Without it, run `kota auth client FILE`\nwith that file, then `kota auth login`.\n")
	return text.String()
}

// Text is the step with its number as text for a terminal.
func (s Step) Text(number int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "  %d. %s\n", number, s.Title)
	for _, page := range s.Pages {
		fmt.Fprintf(&text, "     %s\n", page.URL)
	}
	for _, sentence := range s.Do {
		text.WriteString(wrap(sentence, "     ", 84))
	}
	return text.String()
}

// wrap breaks a sentence into lines of at most width characters, each with the
// indent.
func wrap(sentence, indent string, width int) string {
	var text strings.Builder
	line := indent
	for word := range strings.FieldsSeq(sentence) {
		if line != indent && utf8.RuneCountInString(line+word) >= width {
			text.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return text.String() + line + "\n"
}
