package repairtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A problem has the fields of a metadata.Problem.
type problem struct{ Path, Expected, Got, Suggestion string }

// CorrectedCall returns the corrected call according to the problems in the failure, or false
// if they do not say enough. It uses suggested names and values, removes arguments that are
// unknown or given twice, and respects the stated limits.
func (c Call) CorrectedCall(failure json.RawMessage) (Call, bool) {
	var answer struct{ Problems []problem }
	if json.Unmarshal(failure, &answer) != nil || len(answer.Problems) == 0 {
		return Call{}, false
	}
	var args map[string]any
	if json.Unmarshal(c.Args, &args) != nil {
		args = map[string]any{}
	}
	corrected := false
	for _, p := range answer.Problems {
		if p.Path == "name" && strings.HasPrefix(p.Expected, "the name of a tool") {
			c.Tool, corrected = p.Suggestion, p.Suggestion != ""
			continue
		}
		corrected = applyProblem(args, p) || corrected
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return Call{}, false
	}
	c.Args = raw
	return c, corrected
}

// applyProblem corrects the arguments according to a problem, and reports whether it could. In a
// call of an entry point, it corrects the arguments inside args.
func applyProblem(args map[string]any, p problem) bool {
	if inner, ok := args["args"].(map[string]any); ok && !slices.Contains([]string{"bundle", "action"}, p.Path) {
		if _, outside := args[p.Path]; !outside {
			args = inner
		}
	}
	value, given := args[p.Path]
	limit := limits.FindStringSubmatch(p.Expected)
	switch {
	case !given && p.Suggestion == "":
		return false
	case strings.HasPrefix(p.Got, "an unknown argument") && p.Suggestion != "":
		delete(args, p.Path)
		args[p.Suggestion] = value
	case strings.HasPrefix(p.Got, "an unknown argument"), p.Expected == "each argument only once":
		delete(args, p.Path)
	case p.Suggestion != "":
		args[p.Path] = p.Suggestion
	case limit != nil && fmt.Sprint(value) != "":
		number, ok := value.(float64)
		if !ok {
			return false
		}
		least, most := json.Number(limit[1]), json.Number(limit[2])
		args[p.Path] = least
		if low, _ := least.Float64(); number > low {
			args[p.Path] = most
		}
	default:
		return false
	}
	return true
}

var limits = regexp.MustCompile(`between (-?\d+) and (-?\d+)$`)
