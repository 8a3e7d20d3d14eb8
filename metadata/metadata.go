// Package metadata describes bundles: their actions, the schemas, effects,
// examples and relationships of these, and the errors they answer with. It also
// reads arguments against a schema: it decodes them, repairs what models get
// wrong, and lists every problem at once.
//
// It is plain data: nothing here runs an action. Start reading at Bundle and
// Action, and at Schema.Read for arguments. Package search finds actions, docs
// writes them as Markdown.
package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Effect says what an action does to the world. It is declared once and
// yields the MCP hints, the policy, the prompt of the CLI and the badge in the
// documentation. The zero Effect is invalid, so that nobody forgets to choose.
type Effect string

const (
	Reads    Effect = "reads"    // changes nothing
	Writes   Effect = "writes"   // changes something the user can undo
	Destroys Effect = "destroys" // changes something that cannot be undone
	Sends    Effect = "sends"    // reaches other people
)

// Effects lists every valid Effect, mildest first.
var Effects = []Effect{Reads, Writes, Destroys, Sends}

// Valid reports whether e is one of the four effects.
func (e Effect) Valid() bool {
	return slices.Contains(Effects, e)
}

// Covers reports whether an action declared with e may make a call that does
// other: one that is no worse. Sending is worse than everything, and everything
// is worse than reading.
func (e Effect) Covers(other Effect) bool {
	return slices.Index(Effects, e) >= slices.Index(Effects, other) && other.Valid()
}

// The categories a bundle can have.
const (
	Core     = "core"     // on by default
	Optional = "optional" // switched on by its user
)

// A Bundle describes a group of actions about one thing. Its JSON names are
// those that clients of the original KOTA know.
type Bundle struct {
	Key           string         `json:"key"`         // lower case, the prefix of its tools: "memory"
	Name          string         `json:"name"`        // for people: "KOTA Memory Store"
	Description   string         `json:"description"` // one sentence
	Category      string         `json:"category"`    // Core or Optional
	Tags          []string       `json:"tags"`
	Phrases       string         `json:"-"` // how people ask for each action: its name on a line, then a phrase a line, indented
	Version       string         `json:"version,omitempty"`
	Enabled       bool           `json:"enabled"`
	Unavailable   string         `json:"unavailable,omitempty"` // why it cannot run now, and the remedy
	Actions       []Action       `json:"actions"`
	Relationships []Relationship `json:"relationships"`
	Workflows     []Workflow     `json:"examples,omitempty"`
}

// An Action describes one thing a bundle can do.
type Action struct {
	Name           string    `json:"name"`        // "set"
	Tool           string    `json:"tool_name"`   // "memory_set"; set when the bundle is assembled
	Summary        string    `json:"-"`           // one imperative sentence, at most 80 characters: level 1
	Description    string    `json:"description"` // what a caller needs beyond the schema: level 2
	Effect         Effect    `json:"effect"`
	Tags           []string  `json:"tags,omitempty"`
	Phrases        []string  `json:"-"` // how people ask for it; searched, never shown; from the bundle's Phrases
	Aliases        Aliases   `json:"-"` // what other servers call it
	Examples       []Example `json:"examples,omitempty"`
	Errors         []Code    `json:"errors,omitempty"` // the codes it can answer with
	Notes          []string  `json:"notes,omitempty"`
	UsedWith       []string  `json:"used_with,omitempty"` // tools that its user often calls soon before or after it; filled in by the catalogue
	Undoes         bool      `json:"-"`                   // it takes the undo_id that changes of its bundle answer, and puts them back
	Scopes         []string  `json:"-"`                   // OAuth scopes a call needs, the narrowest that do; none where no account is needed
	OptionalScopes []string  `json:"-"`                   // OAuth scopes that the sign-in asks for beside them; a call runs without them too
	Since          string    `json:"since,omitempty"`
	Deprecated     string    `json:"deprecated,omitempty"` // what to call instead
	BriefText      string    `json:"-"`                    // in place of what Brief would say; "" derives it
	SpecText       string    `json:"-"`                    // in place of what Spec would say; "" derives it
	Input          *Schema   `json:"inputSchema"`
	Output         *Schema   `json:"outputSchema,omitempty"`
}

// Text returns the summary followed by the description: what a client shows
// for the tool.
func (a Action) Text() string {
	if a.Description == "" {
		return a.Summary
	}
	return a.Summary + " " + a.Description
}

// BundleKey returns the key of the bundle that the action is part of.
func (a Action) BundleKey() string { return strings.TrimSuffix(a.Tool, "_"+a.Name) }

// AsDraft is the argument with which a mail is saved and not sent.
const AsDraft = "as_draft"

// HasParam reports whether the input has an argument of exactly that name.
func (a Action) HasParam(name string) bool {
	return a.Input != nil && slices.ContainsFunc(a.Input.Params(), func(p Param) bool { return p.Name == name })
}

// HasTag reports whether the action, or its bundle, which has these tags, has the
// tag. The words of its tool's name count as tags.
func (a Action) HasTag(bundle []string, tag string) bool {
	return hasTag(bundle, tag) || hasTag(a.Tags, tag) || hasTag(strings.Split(a.Tool, "_"), tag)
}

func hasTag(tags []string, want string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool { return strings.EqualFold(tag, strings.TrimSpace(want)) })
}

// Signature returns the compact form of the input: see the function Signature.
// It is "" for an action without one.
func (a Action) Signature() string {
	if a.Input == nil {
		return ""
	}
	return Signature(a.Name, a.Input)
}

// MarshalJSON writes the action with its whole text as "description", since
// the clients of the original KOTA know no other, and with its "signature".
func (a Action) MarshalJSON() ([]byte, error) {
	type plain Action
	return Plain(struct {
		Name        string `json:"name"`
		Tool        string `json:"tool_name"`
		Description string `json:"description"`
		Effect      Effect `json:"effect"`
		Signature   string `json:"signature"`
		plain
	}{a.Name, a.Tool, a.Text(), a.Effect, a.Signature(), plain(a)})
}

// Plain is json.Marshal without the escaping that HTML would need: models read
// this JSON, and pay for every \u003c.
func Plain(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Compact is Plain as a string. For what cannot be marshalled it is the error.
func Compact(v any) string {
	text, err := Plain(v)
	if err != nil {
		return fmt.Sprintf("%q", err)
	}
	return string(text)
}

// An Example is one call of an action. Args is a value of the action's input
// type or a map, which the schema admits. Answer is what the call answers,
// where that teaches something.
type Example struct {
	Title  string `json:"title"`
	Args   any    `json:"args"`
	Answer any    `json:"answer,omitempty"`
}

// The types of a Relationship.
const (
	DependsOn = "depends_on" // cannot run without the other bundle
	RelatedTo = "related_to" // is often used with it
)

// A Relationship links a bundle to another one.
type Relationship struct {
	Type        string `json:"type"` // DependsOn or RelatedTo
	Bundle      string `json:"bundle_key"`
	Description string `json:"description"`
	Enabled     *bool  `json:"enabled,omitempty"` // whether the other bundle is on; filled in by the catalogue
}

// A Workflow is an example that takes several calls. Every step names a real
// tool; a test runs them.
type Workflow struct {
	Title    string `json:"title"`
	Scenario string `json:"scenario"`
	Steps    []Step `json:"steps"`
}

// A Step is one call of a Workflow.
type Step struct {
	Tool string `json:"tool"`
	Args any    `json:"args"`
}
