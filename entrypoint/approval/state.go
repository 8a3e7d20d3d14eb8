package approval

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/entrypoint"
	"kota/metadata"
)

// questionTTL is how long the user may take to answer in a client with protocol 2026-07-28,
// which sends the answer with a new call.
const questionTTL = 10 * time.Minute

// A question is the content of requestState in an input_required result. MCP 2026-07-28
// (multi round-trip requests) requires that a requestState is protected against changes,
// bound to its principal and request, and valid once.
type question struct {
	Digest  string    `json:"digest"`
	Nonce   string    `json:"nonce"`
	Expires time.Time `json:"expires"`
}

// seal returns the requestState for a question about the call with this digest.
func (a *Approvals) seal(tool, digest string) (string, error) {
	plain, err := json.Marshal(question{Digest: digest, Nonce: rand.Text(), Expires: a.Now().Add(questionTTL)})
	if err != nil {
		return "", fmt.Errorf("write the state of a question: %w", err)
	}
	sealed, err := a.Sealer.Seal(plain, a.associatedData(tool))
	if err != nil {
		return "", fmt.Errorf("encrypt the state of a question: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(sealed), nil
}

// associatedData returns the owner and the tool, to which a requestState is bound.
func (a *Approvals) associatedData(tool string) []byte { return []byte(a.Owner + "\x00" + tool) }

// unseal returns the question in a requestState.
func (a *Approvals) unseal(state, tool string) (question, error) {
	var q question
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(state)
	if err != nil {
		return q, err
	}
	plain, err := a.Sealer.Open(sealed, a.associatedData(tool))
	if err != nil {
		return q, err
	}
	return q, json.Unmarshal(plain, &q)
}

// redeemAnswer checks the user's answer that came with a repeated call. It returns nil if the
// user said yes to this Request. A question can be answered only once, whatever the answer.
func (a *Approvals) redeemAnswer(ctx context.Context, c *entrypoint.Call, request entrypoint.Request, digest string) error {
	reply, tool := c.Answer, request.Action.Tool
	q, err := a.unseal(reply.State, tool)
	if err != nil {
		e := noConsentError(metadata.Refused, "KOTA did not issue this requestState for this call")
		e.Cause = err
		return e
	}
	first, err := a.Pending.ConsumeNonce(ctx, q.Nonce, q.Expires)
	if errors.Is(err, ErrTooLate) {
		return noConsentError(metadata.Refused, "the user's answer is too late, because the question is more than ten minutes old")
	}
	if err != nil {
		return err
	}
	if !first {
		return noConsentError(metadata.Refused, "the user's answer was already used")
	}
	if q.Digest != digest {
		return noConsentError(metadata.Conflict, "the effect of this call has changed since the user was asked")
	}
	if err := a.checkAnswer(c, reply.Answer, request); err != nil {
		return err
	}
	c.NoteApproval("client")
	return nil
}

func noConsentError(code metadata.Code, why string) *metadata.Error {
	return metadata.Errorf(code, "%s: nothing was done", why).WithHint("Repeat the call without requestState and inputResponses, so that the user is asked again.")
}
