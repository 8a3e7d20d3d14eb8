package clients

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"kota/bundles"
)

// Update merges the old entry with the wanted entry. The merged entry keeps the
// arguments of an old `serve` command that the wanted entry does not set. Its
// Env has only the variables to set or remove; Add keeps the others. keptSettings
// tells the user what stays, without values that may be secret.
func Update(old, wanted Entry) (merged Entry, keptSettings []string) {
	merged = Entry{Command: wanted.Command, Args: wanted.Args, Env: map[string]string{}}
	maps.Copy(merged.Env, wanted.Env)
	if serveIndex(old.Args) >= 0 {
		rest := old.Args
		for _, name := range []string{"--config", "--profile"} {
			_, again := FlagValue(wanted.Args, name)
			if again || name == "--config" && wanted.Env["KOTA_CONFIG"] != "" { // an old --config would override KOTA_CONFIG
				rest = withoutFlag(rest, name)
			}
		}
		at := serveIndex(rest)
		merged.Args = append(withoutLast(wanted.Args), rest...)
		if flagWords := slices.Delete(slices.Clone(rest), at, at+1); len(flagWords) > 0 {
			keptSettings = append(keptSettings, strings.Join(flagWords, " "))
		}
	}
	_, file := FlagValue(wanted.Args, "--config")
	for _, name := range slices.Sorted(maps.Keys(old.Env)) {
		_, again := wanted.Env[name]
		switch {
		case again:
		case name == "KOTA_CONFIG" && file: // the flag overrides the variable
			merged.Env[name] = ""
		case name == "KOTA_CONFIG" || name == "KOTA_HOME":
			keptSettings = append(keptSettings, name+"="+old.Env[name])
		default:
			keptSettings = append(keptSettings, name)
		}
	}
	return merged, keptSettings
}

// ChangedSettings lists the folder, file and profile settings that the new entry
// changes or adds, with the new values. It omits a profile that the old entry did not
// have.
func ChangedSettings(old, updated Entry) []string {
	if old.Command == "" {
		return nil // there was no entry
	}
	env := map[string]string{} // a variable that the new entry does not set keeps its value
	maps.Copy(env, old.Env)
	maps.Copy(env, updated.Env)
	updated.Env = env
	var changed []string
	for _, names := range [][]string{{"KOTA_HOME"}, {"--config", "KOTA_CONFIG"}, {"--profile"}} {
		before, now := settingText(old, names), settingText(updated, names)
		switch {
		case before == now, before == "" && names[0] == "--profile": // a new profile can only reduce rights
		case before == "":
			changed = append(changed, fmt.Sprintf("it had no %s and has %s now", strings.Join(names, " or "), now))
		default:
			changed = append(changed, fmt.Sprintf("%s is %s now", before, now))
		}
	}
	if len(changed) > 0 && old.Env["KOTA_HOME"] != updated.Env["KOTA_HOME"] {
		changed[0] += " (the data stays in the previous folder)"
	}
	return changed
}

// settingText returns the first of these flags and variables that an entry sets,
// with its value, as on a command line. It returns "" if none is set.
func settingText(e Entry, names []string) string {
	for _, name := range names {
		if value, exists := FlagValue(e.Args, name); exists {
			return name + " " + value
		}
		if value := e.Env[name]; value != "" {
			return name + "=" + value
		}
	}
	return ""
}

// serveIndex returns the index of the command serve in the arguments, or -1 if
// it is absent. The value of a flag is not a command.
func serveIndex(args []string) int {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "serve":
			return i
		case "--config", "--profile", "--owner":
			i++ // skip the flag's value
		}
	}
	return -1
}

// FlagValue returns the last value of a flag in args, and whether args has the
// flag with a value.
func FlagValue(args []string, name string) (value string, exists bool) {
	for i, arg := range args {
		if text, ok := strings.CutPrefix(arg, name+"="); ok {
			value, exists = text, true
		}
		if arg == name && i+1 < len(args) {
			value, exists = args[i+1], true
		}
	}
	return value, exists
}

func withoutFlag(args []string, name string) []string {
	var rest []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == name:
			i++ // skip the flag's value
		case !strings.HasPrefix(args[i], name+"="):
			rest = append(rest, args[i])
		}
	}
	return rest
}

func withoutLast(args []string) []string { return slices.Clone(args[:len(args)-1]) }

// IsKOTA reports whether an entry starts or connects to KOTA, and to nothing
// else.
func IsKOTA(e Entry) bool {
	return (e.Command != "" || e.URL != "") && (e.Command == "" || isKOTAProgram(e.Command)) && (e.URL == "" || isEndpoint(e.URL))
}

// isKOTAProgram reports whether a command is KOTA. It decides by the file
// name, such as kota.exe or kota-linux-amd64, because the file may no longer exist.
// The running program is KOTA under any name.
func isKOTAProgram(command string) bool {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	if rest, ok := strings.CutPrefix(name, "kota"); ok && (rest == "" || strings.Contains("-_.", rest[:1])) {
		return true
	}
	info, err := os.Stat(command)
	return err == nil && IsThisProgram(info)
}

func isEndpoint(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && u.Path == endpointPath
}

// Describe says in words what an entry does. It shows only the scheme, the
// host and the path of a valid URL, because other parts may be secret.
func Describe(e Entry) string {
	if e.Command == "" && e.URL == "" {
		return "has a type that KOTA does not know"
	}
	var parts []string
	if e.Command != "" {
		parts = append(parts, "starts "+commandLine(e))
	}
	if e.URL != "" {
		address := e.URL
		if u, err := url.Parse(address); err == nil {
			address = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
		}
		parts = append(parts, "connects to "+address+" over HTTP")
	}
	return bundles.Visible(strings.Join(parts, " and "))
}

// DescribeOther is Describe for an entry that IsKOTA rejects.
func DescribeOther(e Entry) string {
	if e.Command == "" && e.URL == "" {
		return Describe(e)
	}
	return Describe(e) + ", which is not KOTA"
}

func commandLine(e Entry) string {
	return strings.Join(append([]string{e.Command}, e.Args...), " ")
}

// Summary describes an entry in the list of clients.
func Summary(e Entry) string {
	text := commandLine(e)
	if e.Command == "" || e.URL != "" {
		text = Describe(e)
	}
	if e.Off {
		text += " (switched off)"
	}
	return text
}

// IsThisProgram reports whether the file is the running program.
func IsThisProgram(file os.FileInfo) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	mine, err := os.Stat(self)
	return err == nil && os.SameFile(mine, file)
}

// endpointPath is the path of KOTA's HTTP endpoint.
const endpointPath = "/mcp"
