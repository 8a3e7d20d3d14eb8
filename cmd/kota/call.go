package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint"
	"kota/entrypoint/transport"
	"kota/metadata"
)

func newCall(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "call TOOL [key=value | key:=json ...] | TOOL '{json}' | TOOL -",
		Short: "Call a tool and print its answer as JSON",
		Long: `Call a tool and print its answer as JSON on stdout.

key=value passes text, key:=json any JSON value; a single {…} passes all arguments
at once, and - reads them from stdin. If the call fails, its error is printed on
stderr, as JSON unless stderr is a terminal, and the exit status is 1. If KOTA
repaired the arguments, it says so on stderr in one line.`,
		Example: `  kota call memory_set key=theme value=dark
  kota call memory_set key=sizes 'value:={"shoe": 43}' tags:='["clothes"]'
  kota call memory_get '{"query": "shoe size"}'`,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeTools(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return mistake.Errorf("kota call needs the name of a tool. Find one with `kota discover WORDS`.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments, err := readArguments(args[1:], a.Input(cmd.Context()))
			if err != nil {
				return suggestTool(a, args, err)
			}
			router, err := a.Router()
			if err != nil {
				return err
			}
			call := &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: args[0], Args: arguments}
			_, text, err := router.Answer(cmd.Context(), call)
			if err != nil {
				return shellError(err) // no note and no repairs: programs parse the JSON on stderr
			}
			printNote(a, call)
			printRepairs(a, call.Repairs, isKeyValues(args[1:]))
			return a.PrintJSON(json.RawMessage(text))
		},
	}
}

// suggestTool adds to the error the tool that the user may have meant by two
// words, such as memory set.
func suggestTool(a *app.App, args []string, err error) error {
	if len(args) < 2 || strings.ContainsAny(args[1], "={") {
		return err
	}
	if router, routerErr := a.Router(); routerErr == nil {
		if action, found := router.Action(args[0] + "_" + args[1]); found {
			return mistake.Errorf("%v. Did you mean the tool %s?", err, action.Tool)
		}
	}
	return err
}

// shellError rewords the hint in the error of a call for the command line.
func shellError(err error) error {
	answer := (*metadata.Error)(nil)
	if !errors.As(err, &answer) {
		return err
	}
	return answer.WithAdvice(strings.NewReplacer(
		"Otherwise search with kota_discover_bundles {\"query\": …}.", "Otherwise search with `kota discover WORDS`.",
		"Search with kota_discover_bundles {\"query\": \"what you want to do\"}.", "Search with `kota discover WORDS`.",
	).Replace)
}

// printNote prints on stderr the note that comes with the answer.
func printNote(a *app.App, c *entrypoint.Call) {
	if c.Note != "" {
		a.PrintAdvised(a.Stderr, "kota: %s\n", c.Note)
	}
}

// printRepairs prints on stderr the repairs to a call that succeeded. If the
// arguments are key=value, it omits conversions of texts to other types and to
// lists, which are then normal.
func printRepairs(a *app.App, notes []string, keyValues bool) {
	if keyValues {
		notes = slices.DeleteFunc(notes, func(note string) bool {
			return strings.HasSuffix(note, metadata.FromText) || strings.HasSuffix(note, metadata.ListOfOne) || strings.HasSuffix(note, metadata.SplitList)
		})
	}
	if len(notes) > 0 {
		fmt.Fprintf(a.Stderr, "kota: repaired: %s\n", strings.Join(notes, "; "))
	}
}

// isKeyValues reports whether the arguments are words such as key=value and
// key:=json, and not one JSON object or "-".
func isKeyValues(args []string) bool {
	return len(args) != 1 || args[0] != "-" && !strings.HasPrefix(strings.TrimSpace(args[0]), "{")
}

// readArguments returns the arguments of a call as JSON. The words give them as
// key=value and key:=json, as one JSON object, or as "-" for JSON on stdin. A word
// of another form and a key that is given twice are usage errors.
func readArguments(words []string, stdin io.Reader) (json.RawMessage, error) {
	if isKeyValues(words) {
		return readKeyValues(words)
	}
	if words[0] == "-" {
		const maxBytes = transport.MaxMessage
		raw, err := io.ReadAll(io.LimitReader(stdin, maxBytes+1))
		if err != nil {
			return nil, fmt.Errorf("read arguments: %w", err)
		}
		if len(raw) > maxBytes {
			return nil, mistake.Errorf("the arguments on stdin are larger than %d MiB", maxBytes>>20)
		}
		if text := strings.TrimPrefix(string(raw), "\uFEFF"); strings.TrimSpace(text) != "" { // some editors write a byte order mark
			return validJSON(text)
		}
		return nil, mistake.Errorf("stdin was empty; give the arguments as one JSON object")
	}
	return validJSON(words[0])
}

func readKeyValues(words []string) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	for _, word := range words {
		key, value, err := readArgument(word)
		if err != nil {
			return nil, err
		}
		if _, twice := fields[key]; twice {
			return nil, mistake.Errorf("the argument %q is given twice; give it once. Several values are one list: '%[2]s:=[\"first\", \"second\"]'", key, key)
		}
		fields[key] = value
	}
	return json.Marshal(fields)
}

func readArgument(word string) (string, json.RawMessage, error) {
	if !utf8.ValidString(word) {
		return "", nil, mistake.Errorf("%q is not text in UTF-8", word)
	}
	switch {
	case word == "-":
		return "", nil, mistake.Errorf("- must be the only argument")
	case strings.HasPrefix(word, "{"):
		return "", nil, mistake.Errorf("a {…} must be the only argument")
	}
	key, text, ok := strings.Cut(word, "=")
	if !ok || key == "" || key == ":" {
		return "", nil, mistake.Errorf("%q is neither key=value nor key:=json", word)
	}
	if key, isJSON := strings.CutSuffix(key, ":"); isJSON {
		if !json.Valid([]byte(text)) {
			return "", nil, mistake.Errorf("the value of %q is not JSON: %s\nText is passed with = instead of :=.", key, mistake.Shorten(text))
		}
		return key, json.RawMessage(text), nil
	}
	value, err := json.Marshal(text)
	return key, value, err
}

func validJSON(text string) (json.RawMessage, error) {
	var parsed json.RawMessage
	err := json.Unmarshal([]byte(text), &parsed)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		if strings.Contains(syntax.Error(), "depth") {
			return nil, mistake.Errorf("the arguments are nested too deeply; at most 100 levels")
		}
		before := text[:min(max(int(syntax.Offset)-1, 0), len(text))]
		line, column := strings.Count(before, "\n")+1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])+1
		return nil, mistake.Errorf("the arguments are not valid JSON: line %d, column %d: %v", line, column, syntax)
	}
	if err != nil {
		return nil, mistake.Errorf("the arguments are not valid JSON: %v", err)
	}
	return json.RawMessage(text), nil
}
