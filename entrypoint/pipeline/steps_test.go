package pipeline_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/audit"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// steps records in order what a call asks of, and reports to, its surroundings.
type steps struct {
	seen  []string
	agree bool
	full  bool
}

func (s *steps) note(format string, args ...any) {
	s.seen = append(s.seen, fmt.Sprintf(format, args...))
}

func (s *steps) Begin(_ *bundles.Env, e audit.Entry) audit.Trail {
	s.note("begin %s", e.Effect)
	return s
}
func (s *steps) NoteSubstitution(e audit.Entry) { s.note("substituted %s", e.Effect) }
func (s *steps) NoteApproval(how string)        { s.note("approved %s", how) }
func (s *steps) End(code metadata.Code, refused bool) {
	s.note("end %s %t", code, refused)
}

func (s *steps) Approve(_ context.Context, c *entrypoint.Call, _ entrypoint.Request) error {
	s.note("ask")
	if !s.agree {
		return metadata.Errorf(metadata.Refused, "no")
	}
	c.NoteApproval("client")
	return nil
}

func (s *steps) Limit(context.Context, metadata.Effect, int) error {
	s.note("limit")
	if s.full {
		return metadata.Errorf(metadata.RateLimited, "too many")
	}
	return nil
}

func TestStepsRunInTheirOrder(t *testing.T) {
	const send, args = "letters_send", `{"text": "hello"}`
	for name, c := range map[string]struct {
		gate       policy.Gate
		tool, args string
		steps      steps
		want       []string
	}{
		"a send is asked about, then counted":       {policy.Ask, send, args, steps{agree: true}, []string{"begin sends", "ask", "approved client", "limit", "end  false"}},
		"a refusal is recorded and not counted":     {policy.Ask, send, args, steps{}, []string{"begin sends", "ask", "end REFUSED true"}},
		"a full limit stops what the user approved": {policy.Ask, send, args, steps{agree: true, full: true}, []string{"begin sends", "ask", "approved client", "limit", "end RATE_LIMITED true"}},
		"an allowed send is only counted":           {policy.Allow, send, args, steps{}, []string{"begin sends", "limit", "end  false"}},
		"a draft is saved in place of a send":       {policy.Draft, send, args, steps{}, []string{"begin sends", "substituted writes", "end  false"}},
		"what the policy refuses is recorded":       {policy.Refuse, send, args, steps{}, []string{"begin sends", "end REFUSED true"}},
		"wrong arguments are not":                   {policy.Ask, send, `{"text": []}`, steps{}, nil},
		"nor is what kota_read does not run":        {policy.Ask, "kota_read", `{"bundle": "letters", "action": "send", "args": ` + args + `}`, steps{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &c.steps
			r := routertest.New(t, pipeline.Options{
				Bundles: []bundles.Bundle{routertest.Letters()}, Policy: policy.Policy{Send: c.gate}, Approver: s, Limiter: s, Auditor: s,
			})
			_, _ = routertest.Call(t, r, c.tool, c.args)
			if !slices.Equal(s.seen, c.want) {
				t.Errorf("got %q, want %q", s.seen, c.want)
			}
		})
	}
}
