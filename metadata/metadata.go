// Package metadata describes bundles: their actions with schemas, effects, examples and
// relationships, and their errors. It also reads arguments against a schema: it decodes
// them, repairs common mistakes of models, and lists every problem at once.
//
// It is plain data: nothing here runs an action. Start reading at Bundle and Action, and at
// Schema.Read for arguments. Package search finds actions; package docs writes them as
// Markdown.
package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// An Effect says what an action does to the world. The MCP hints, the policy, the questions at
// the command line and the badges in the documentation follow from it. The zero Effect is
// invalid, so that nobody forgets to choose an Effect.
type Effect string

const (
	Reads    Effect = "reads"    // changes nothing
	Writes   Effect = "writes"   // changes something the user can undo
	Destroys Effect = "destroys" // changes something that cannot be undone
	Sends    Effect = "sends"    // sends something to other people
)

// Effects lists every valid Effect, the mildest first.
var Effects = []Effect{Reads, Writes, Destroys, Sends}

// Valid reports whether e is one of the four effects.
func (e Effect) Valid() bool {
	return slices.Contains(Effects, e)
}

// Covers reports whether a call of an action with the effect e may have the effect other. It
// may if other comes before e in Effects, or is e.
func (e Effect) Covers(other Effect) bool {
	return slices.Index(Effects, e) >= slices.Index(Effects, other) && other.Valid()
}

// The categories a bundle can have.
const (
	Core     = "core"     // on by default
	Optional = "optional" // enabled by the user
)

// A Bundle describes a group of actions about one subject. Its JSON has the names of the
// original KOTA, because clients of that version read it.
type Bundle struct {
	Key           string         `json:"key"`         // lower case, the prefix of its tools: "memory"
	Name          string         `json:"name"`        // for people: "KOTA Memory Store"
	Description   string         `json:"description"` // one sentence
	Category      string         `json:"category"`    // Core or Optional
	Tags          []string       `json:"tags"`
	Phrases       fs.FS          `json:"-"` // how people ask for each action: files phrases/ACTION.txt, of which the search uses the lines before the first empty line
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
	Description    string    `json:"description"` // what a caller needs in addition to the schema: level 2
	Effect         Effect    `json:"effect"`
	Tags           []string  `json:"tags,omitempty"`
	Phrases        []string  `json:"-"` // how people ask for it; searched, never shown; from the bundle's Phrases
	Aliases        Aliases   `json:"-"` // the names that other servers have for it
	Examples       []Example `json:"examples,omitempty"`
	Errors         []Code    `json:"errors,omitempty"` // the codes of the errors that it can return
	Notes          []string  `json:"notes,omitempty"`
	UsedWith       []string  `json:"used_with,omitempty"` // tools that the user often calls soon before or after it; set by the catalogue
	Undoes         bool      `json:"-"`                   // it undoes a change of its bundle, by the change's undo_id
	Scopes         []string  `json:"-"`                   // the OAuth scopes that a call needs, as narrow as possible; empty if it needs no account
	OptionalScopes []string  `json:"-"`                   // additional OAuth scopes that the sign-in requests; a call also runs without them
	Since          string    `json:"since,omitempty"`
	Deprecated     string    `json:"deprecated,omitempty"` // what to call instead
	BriefText      string    `json:"-"`                    // replaces Brief's text; "" derives it
	SpecText       string    `json:"-"`                    // replaces Spec's text; "" derives it
	Input          *Schema   `json:"inputSchema"`
	Output         *Schema   `json:"outputSchema,omitempty"`
}

// Text returns the summary and the description: the text that a client shows for the tool.
func (a Action) Text() string {
	if a.Description == "" {
		return a.Summary
	}
	return a.Summary + " " + a.Description
}

// BundleKey returns the key of the action's bundle.
func (a Action) BundleKey() string { return strings.TrimSuffix(a.Tool, "_"+a.Name) }

// AsDraft is the argument that saves a mail as a draft instead of sending it.
const AsDraft = "as_draft"

// HasParam reports whether the input has an argument with exactly this name.
func (a Action) HasParam(name string) bool {
	return a.Input != nil && slices.ContainsFunc(a.Input.Params(), func(p Param) bool { return p.Name == name })
}

// HasTag reports whether the action or its bundle has the tag. The parts of the tool's name
// count as tags.
func (a Action) HasTag(bundleTags []string, tag string) bool {
	return hasTag(bundleTags, tag) || hasTag(a.Tags, tag) || hasTag(strings.Split(a.Tool, "_"), tag)
}

// HasTag reports whether the tag is one of the bundle's own.
func (b Bundle) HasTag(tag string) bool { return hasTag(b.Tags, tag) }

func hasTag(tags []string, want string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool { return strings.EqualFold(tag, strings.TrimSpace(want)) })
}

// Signature returns the compact form of the input: see the function Signature. It is "" for
// an action without input.
func (a Action) Signature() string {
	if a.Input == nil {
		return ""
	}
	return Signature(a.Name, a.Input)
}

// MarshalJSON writes the action with a "signature". Its "description" is Text, because clients
// of the original KOTA read no other text of an action.
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

// Plain is json.Marshal without HTML escapes: models read this JSON, and every \u003c costs
// tokens.
func Plain(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Compact is Plain as a string. If the value cannot be marshalled, it returns the error's text.
func Compact(v any) string {
	text, err := Plain(v)
	if err != nil {
		return fmt.Sprintf("%q", err)
	}
	return string(text)
}

// An Example is one call of an action. Args is a value of the action's input type, or a map
// that fits the schema. Answer is the call's answer, or nil if it would not help a reader.
type Example struct {
	Title  string `json:"title"`
	Args   any    `json:"args"`
	Answer any    `json:"answer,omitempty"`
}

// The types of a Relationship.
const (
	DependsOn = "depends_on" // cannot run without the other bundle
	RelatedTo = "related_to" // is often used together with the other bundle
)

// A Relationship links a bundle to another one.
type Relationship struct {
	Type        string `json:"type"` // DependsOn or RelatedTo
	Bundle      string `json:"bundle_key"`
	Description string `json:"description"`
	Enabled     *bool  `json:"enabled,omitempty"` // whether the other bundle is on; set by the catalogue
}

// A Workflow is an example with several calls. Every step names a real tool. A test runs the
// steps.
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
