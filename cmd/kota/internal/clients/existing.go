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

// Update merges the old entry was with the new entry now. It keeps from the old
// entry what the new one does not set. kept names the kept settings for people,
// without values that may be secret.
func Update(was, now Entry) (is Entry, kept []string) {
	is = Entry{Command: now.Command, Args: now.Args, Env: map[string]string{}}
	maps.Copy(is.Env, now.Env)
	if serveIndex(was.Args) >= 0 {
		rest := was.Args
		for _, name := range []string{"--config", "--profile"} {
			_, again := Flag(now.Args, name)
			if again || name == "--config" && now.Env["KOTA_CONFIG"] != "" { // an old --config would override it
				rest = withoutFlag(rest, name)
			}
		}
		at := serveIndex(rest)
		is.Args = append(withoutLast(now.Args), rest...)
		if said := slices.Delete(slices.Clone(rest), at, at+1); len(said) > 0 {
			kept = append(kept, strings.Join(said, " "))
		}
	}
	_, file := Flag(now.Args, "--config")
	for _, name := range slices.Sorted(maps.Keys(was.Env)) {
		_, again := now.Env[name]
		switch {
		case again:
		case name == "KOTA_CONFIG" && file: // the flag overrides the variable
			is.Env[name] = ""
		case name == "KOTA_CONFIG" || name == "KOTA_HOME":
			kept = append(kept, name+"="+was.Env[name])
		default:
			kept = append(kept, name)
		}
	}
	return is, kept
}

// Changed lists the folder, file and profile settings of the old entry that the
// new entry changes, with the new values.
func Changed(was, is Entry) []string {
	if was.Command == "" {
		return nil // there was no entry
	}
	env := map[string]string{} // a variable that the new entry does not set keeps its value
	maps.Copy(env, was.Env)
	maps.Copy(env, is.Env)
	is.Env = env
	var changed []string
	for _, names := range [][]string{{"KOTA_HOME"}, {"--config", "KOTA_CONFIG"}, {"--profile"}} {
		before, now := settingText(was, names), settingText(is, names)
		switch {
		case before == now, before == "" && names[0] == "--profile": // a new profile can only reduce rights
		case before == "":
			changed = append(changed, fmt.Sprintf("it had no %s and has %s now", strings.Join(names, " or "), now))
		default:
			changed = append(changed, fmt.Sprintf("%s is %s now", before, now))
		}
	}
	if len(changed) > 0 && was.Env["KOTA_HOME"] != is.Env["KOTA_HOME"] {
		changed[0] += " (what is kept stays in the folder that it had)"
	}
	return changed
}

// settingText returns the first of these flags and variables that an entry sets,
// with its value, as on a command line. It returns "" if none is set.
func settingText(e Entry, names []string) string {
	for _, name := range names {
		if value, there := Flag(e.Args, name); there {
			return name + " " + value
		}
		if value := e.Env[name]; value != "" {
			return name + "=" + value
		}
	}
	return ""
}

// serveIndex returns the index of the command serve in the arguments. It skips
// the values of flags. It returns -1 if absent.
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

// Flag returns the value of a flag among arguments, and whether it is there.
func Flag(args []string, name string) (value string, there bool) {
	for i, arg := range args {
		if with, ok := strings.CutPrefix(arg, name+"="); ok {
			value, there = with, true
		}
		if arg == name && i+1 < len(args) {
			value, there = args[i+1], true
		}
	}
	return value, there
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

// IsKOTA reports whether everything that an entry starts or connects to is
// KOTA.
func IsKOTA(e Entry) bool {
	return (e.Command != "" || e.URL != "") && (e.Command == "" || isKOTAProgram(e.Command)) && (e.URL == "" || isEndpoint(e.URL))
}

// isKOTAProgram checks the file name, because the program may be gone: kota,
// kota.exe, kota-linux-amd64. The running program counts as KOTA under any
// name.
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

// Describe says in words what an entry does. It leaves out possible secrets in
// an address.
func Describe(e Entry) string {
	if e.Command == "" && e.URL == "" {
		return "starts something of a kind that KOTA does not know"
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

// DescribeOther is Describe for an entry that is not KOTA, or may not be.
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
