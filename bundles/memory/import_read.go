package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"kota/metadata"
	"kota/store"
)

// readEntries reads a file of memories and leaves out those that have expired. A
// VALIDATION_ERROR lists the first 20 problems of the memories, or the one place where
// the file cannot be read further.
func readEntries(r io.Reader, now time.Time) ([]store.Entry, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	p := &parser{now: now, entities: map[string]int{}}
	head, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read import: %w", err)
	}
	if mark := []byte("\uFEFF"); bytes.HasPrefix(head, mark) {
		if _, err := in.Discard(len(mark)); err != nil {
			return nil, fmt.Errorf("read import: %w", err)
		}
		head = head[len(mark):]
	}
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("#")) {
		return nil, metadata.Errorf(metadata.ValidationError, "the file is Markdown, which KOTA writes for people; only json and jsonl can be imported").
			WithHint("Nothing was imported. Export the memories again with --format json.")
	}
	if jsonDocument.Match(head) {
		err = p.document(in)
	} else {
		err = p.lines(in)
	}
	if err != nil {
		return nil, err
	}
	p.finish()
	if len(p.problems) > 0 {
		return nil, metadata.Invalid(p.problems).WithHint("Nothing was imported. Fix the file and import it again.")
	}
	return p.entries, nil
}

// jsonDocument matches the beginning of KOTA's own JSON, in any layout.
var jsonDocument = regexp.MustCompile(`^\s*\{\s*"kota"`)

// A parser collects the entries and problems of a file.
type parser struct {
	now       time.Time
	problems  problems
	entries   []store.Entry
	entities  map[string]int // for server-memory: name → index in graph
	graph     []*entity      // in file order
	relations []relation     // kept until finish, because their entities may follow later
}

// An entity and a relation are the line types of server-memory's file.
type entity struct {
	Name         string   `json:"name"`
	Type         string   `json:"entityType"`
	Observations []string `json:"observations"`
	relations    []object
}

type relation struct {
	From string `json:"from"`
	To   string `json:"to"`
	Type string `json:"relationType"`
}

type object = map[string]any

// document reads KOTA's own JSON, one memory at a time.
func (p *parser) document(r io.Reader) error {
	decoder := json.NewDecoder(r)
	if _, err := decoder.Token(); err != nil {
		return p.notJSON(decoder, err)
	}
	for {
		name, err := decoder.Token()
		if err != nil {
			return p.notJSON(decoder, err)
		}
		if name == json.Delim('}') {
			return p.notJSON(decoder, errors.New("there is no \"memories\""))
		}
		if name == "memories" {
			break
		}
		var other json.RawMessage
		if err := decoder.Decode(&other); err != nil {
			return p.notJSON(decoder, err)
		}
		if name == "format" && string(other) != "1" {
			return metadata.Errorf(metadata.ValidationError, "the file has the format %s, but this version of KOTA reads format 1", shorten(other, 20)).
				WithHint("Update KOTA, then import the file again.")
		}
	}
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return p.notJSON(decoder, errors.New("\"memories\" is not an array"))
	}
	for n := 1; decoder.More(); n++ {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return p.notJSON(decoder, err)
		}
		p.record(fmt.Sprintf("memories[%d]", n-1), raw)
	}
	if _, err := decoder.Token(); err != nil {
		return p.notJSON(decoder, err)
	}
	return nil
}

func (p *parser) notJSON(decoder *json.Decoder, err error) error {
	return metadata.Errorf(metadata.ValidationError, "the file is not complete JSON: at byte %d: %v", decoder.InputOffset(), err).
		WithHint("Export it again; nothing was imported.")
}

// lines reads JSONL of KOTA or server-memory.
func (p *parser) lines(r io.Reader) error {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 64<<10), maxValue+64<<10)
	for n := 1; scanner.Scan(); n++ {
		if line := bytes.TrimSpace(scanner.Bytes()); len(line) > 0 {
			p.line(fmt.Sprintf("line %d", n), bytes.Clone(line))
		}
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return metadata.Errorf(metadata.ValidationError, "a line of the file exceeds the maximum size of a memory (1 MiB)")
	} else if err != nil {
		return fmt.Errorf("read import: %w", err)
	}
	return nil
}

func (p *parser) line(where string, line json.RawMessage) {
	var kind struct {
		Type string  `json:"type"`
		Key  *string `json:"key"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		p.addProblem(where, "a JSON object", line)
		return
	}
	switch {
	case kind.Key != nil:
		p.record(where, line)
	case kind.Type == "entity":
		p.entity(where, line)
	case kind.Type == "relation":
		p.relation(where, line)
	default:
		p.addProblem(where, "a memory with a \"key\", or an entity or relation of server-memory", line)
	}
}

func (p *parser) record(where string, raw json.RawMessage) {
	var r exportedMemory
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		p.addProblem(where, "a memory as KOTA exports it ("+strings.TrimPrefix(err.Error(), "json: ")+")", raw)
		return
	}
	if len(r.Value) == 0 {
		p.addProblem(where, "a memory with a \"value\"", raw)
		return
	}
	before := len(p.problems)
	expires, created, updated := p.time(where+" expires_at", r.ExpiresAt), p.time(where+" created", r.Created), p.time(where+" updated", r.Updated)
	if len(p.problems) > before || !expires.IsZero() && !expires.After(p.now) {
		return // an expired memory would disappear immediately
	}
	p.add(where, store.Entry{
		Key: r.Key, Value: r.Value, Category: &r.Category, Tags: r.Tags, Source: r.Source,
		Importance: &r.Importance, Pinned: &r.Pinned, Expires: expires, Created: created, Updated: updated,
	})
}

func (p *parser) time(where, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		p.addProblem(where, "an RFC 3339 time", json.RawMessage(text))
	}
	return t
}

func (p *parser) add(where string, entry store.Entry) {
	before := len(p.problems)
	p.problems.key(where+" key", entry.Key)
	p.problems.value(where+" value", entry.Value)
	p.problems.tags(where+" tags", entry.Tags)
	p.problems.line(where+" source", entry.Source, maxSource)
	if entry.Category != nil {
		p.problems.line(where+" category", *entry.Category, maxTag)
	}
	if n := entry.Importance; n != nil && (*n < 0 || *n > 3) {
		p.problems.add(where+" importance", "a number from 0 to 3", strconv.Itoa(*n))
	}
	if !utf8.Valid(entry.Value) {
		p.problems.add(where+" value", "text in UTF-8", strconv.QuoteToASCII(shorten(entry.Value, 40)))
	}
	if len(p.problems) == before {
		p.entries = append(p.entries, entry)
	}
}

func (p *parser) addProblem(where, expected string, got json.RawMessage) {
	p.problems.add(where, expected, shorten(got, 60))
}
