package memorytest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
)

// A paraphraseSet is one file of memories with the questions about them.
type paraphraseSet struct {
	memories []evaluationMemory
	kinds    map[string][]question
}

// conversations reads pairs of people who talk with each other. If whole is true, each memory is
// one session: all its turns. If not, each memory is one fact.
//
// In the file, a pair begins with "@ Ann Bob" and a session with "# 2025-09-06". "A text" is a
// turn of Ann and "- text" a fact. "? 1,2 KIND question" asks for the facts 1 and 2 of the
// session, and "? 09-06.1,10-02.3 KIND question" for facts of several sessions.
func conversations(t *testing.T, file string, whole bool) paraphraseSet {
	set := paraphraseSet{kinds: map[string][]question{}}
	pair, names, date, fact := "", map[string]string{}, "", 0
	keys := map[string]string{} // by pair, month, day and number of the fact
	for line := range strings.Lines(readSet(t, "conversations/"+file)) {
		mark, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch mark {
		case "@":
			pair = strings.ToLower(strings.ReplaceAll(text, " ", "_"))
			for name := range strings.FieldsSeq(text) {
				names[name[:1]] = name
			}
		case "#":
			date, fact = text, 0
			if whole {
				day, err := time.Parse(time.DateOnly, date)
				if err != nil {
					t.Fatal(err)
				}
				set.add("session_"+pair+"_"+date, "Conversation on "+day.Format("2 January 2006"))
			}
		case "-":
			fact++
			key := pair + "_" + date + "_" + fmt.Sprint(fact)
			if whole {
				key = "session_" + pair + "_" + date
			} else {
				set.add(key, text)
			}
			keys[pair+date[5:]+"."+fmt.Sprint(fact)] = key
		case "?":
			refs, rest, _ := strings.Cut(text, " ")
			kind, ask, _ := strings.Cut(rest, " ")
			q := question{text: ask}
			for ref := range strings.SplitSeq(refs, ",") {
				if !strings.Contains(ref, ".") {
					ref = date[5:] + "." + ref
				}
				key := keys[pair+ref]
				if key == "" {
					t.Fatalf("%s: %q asks for a fact that is not there", file, line)
				}
				if !slices.Contains(q.want, key) {
					q.want = append(q.want, key)
				}
			}
			set.kinds[kind] = append(set.kinds[kind], q)
		default:
			if whole {
				last := &set.memories[len(set.memories)-1]
				last.Value = json.RawMessage(strings.TrimSuffix(string(last.Value), `"`) + `\n` + strings.TrimPrefix(string(store.EncodeJSON(names[mark]+": "+text)), `"`))
			}
		}
	}
	return set
}

// household reads "key | value | tags" and "? key language question". The key "-" means that no
// memory answers.
func household(t *testing.T, file string) paraphraseSet {
	set := paraphraseSet{kinds: map[string][]question{}}
	for line := range strings.Lines(readSet(t, "household/"+file)) {
		if ask, isQuestion := strings.CutPrefix(strings.TrimSpace(line), "? "); isQuestion {
			part := strings.SplitN(ask, " ", 3)
			q := question{text: part[2]}
			if part[0] != "-" {
				q.want = []string{part[0]}
				if !slices.ContainsFunc(set.memories, func(k evaluationMemory) bool { return k.Key == part[0] }) {
					t.Fatalf("%s: no memory %q", file, part[0])
				}
			}
			set.kinds[part[1]] = append(set.kinds[part[1]], q)
			continue
		}
		part := strings.Split(strings.TrimSpace(line), " | ")
		set.add(part[0], part[1])
		set.memories[len(set.memories)-1].Tags = strings.Split(part[2], ",")
	}
	return set
}

func (s *paraphraseSet) add(key, value string) {
	s.memories = append(s.memories, evaluationMemory{Key: key, Value: store.EncodeJSON(value)})
}

func readSet(t *testing.T, name string) string {
	t.Helper()
	text, err := sets.ReadFile("testdata/recall/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
