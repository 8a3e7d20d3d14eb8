package eventwrite

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/google"
)

// A Request changes one event. It is stored in the form in which it is sent. The Go client
// would drop the nulls and zeros of a patch that was read back.
type Request struct {
	Method         string          `json:"method"` // POST (insert, or move if Destination is set), PATCH or DELETE
	Calendar       string          `json:"calendar"`
	Event          string          `json:"event"`                 // id of the event
	Destination    string          `json:"destination,omitempty"` // id of a calendar
	Etag           string          `json:"etag,omitempty"`        // the etag of the version to change; a move does not send it
	Notify         string          `json:"notify"`
	Body           json.RawMessage `json:"body,omitempty"`
	Tainted        bool            `json:"mixed,omitempty"`  // the event has text that was written in a tainted session: see withTaint
	Approved       bool            `json:"agreed,omitempty"` // the user has approved sending that text
	PartlyApproved bool            `json:"partly,omitempty"` // an approval of the user covers only a part of that text

	MarkPatch    json.RawMessage `json:"again,omitempty"` // first patch of a resend, which Body reverts: see executeResend
	ResendDigest string          `json:"of,omitempty"`    // digest of the text that a resend mails

	textUnchanged bool // apart from resendMark, the request only writes text that the event already has
}

// NewInsert returns the request that makes the event e with its id.
func NewInsert(calendar string, e *calendarapi.Event, notify string) (Request, error) {
	stamped := *event.WithZeroValues(e)
	digest, err := digestOf(calendar, &stamped, notify)
	if err != nil {
		return Request{}, err
	}
	event.SetDigest(&stamped, digest)
	body, err := json.Marshal(&stamped)
	if err != nil {
		return Request{}, fmt.Errorf("write event: %w", err)
	}
	return Request{Method: http.MethodPost, Calendar: calendar, Event: e.Id, Notify: notify, Body: body}, nil
}

// NewPatch returns the request that changes fields of the version with that etag: see
// Writer.Patch.
func NewPatch(calendar, id, etag string, patch any, notify string) (Request, error) {
	body, err := json.Marshal(patch)
	if err != nil {
		return Request{}, fmt.Errorf("write event: %w", err)
	}
	return Request{Method: http.MethodPatch, Calendar: calendar, Event: id, Etag: etag, Notify: notify, Body: body}, nil
}

// NewDelete returns the request that deletes the version with that etag.
func NewDelete(calendar, id, etag, notify string) Request {
	return Request{Method: http.MethodDelete, Calendar: calendar, Event: id, Etag: etag, Notify: notify}
}

// NewMove returns the request that moves the event to another calendar. Google gets no etag
// with a move; the etag only tells later whether the event is unchanged in its old
// calendar.
func NewMove(calendar, id, etag, destination, notify string) Request {
	return Request{Method: http.MethodPost, Calendar: calendar, Event: id, Destination: destination, Etag: etag, Notify: notify}
}

func (r Request) isInsert() bool { return r.Method == http.MethodPost && r.Destination == "" }
func (r Request) isMove() bool   { return r.Destination != "" }
func (r Request) isDelete() bool { return r.Method == http.MethodDelete }

// finalCalendar returns the calendar that contains the event after the request.
func (r Request) finalCalendar() string {
	if r.isMove() {
		return r.Destination
	}
	return r.Calendar
}

// doRequest makes the request once. It returns the event in the answer, or nil after a
// deletion. The error is OUTCOME_UNKNOWN if the answer has no event. An insert or a patch
// has the parameters for conferences and attachments: without them, Google would drop both
// from the event.
func (w *Writer) doRequest(ctx context.Context, r Request) (*calendarapi.Event, error) {
	body, err := r.body()
	if err != nil {
		return nil, fmt.Errorf("write event: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, w.urlOf(r), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("create request: %w", err)
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.Etag != "" && !r.isMove() {
		req.Header.Set("If-Match", r.Etag)
	}
	answer, err := w.deps.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if r.isDelete() {
		return nil, nil
	}
	got := &calendarapi.Event{}
	if err := json.NewDecoder(answer.Body).Decode(got); err != nil || got.Id == "" {
		return nil, errNoEvent(err)
	}
	return got, nil
}

func (w *Writer) urlOf(r Request) string {
	query := url.Values{"alt": {"json"}, "prettyPrint": {"false"}, "sendUpdates": {sendUpdates(r.Notify)}}
	path := google.CalendarBase(w.deps.Endpoint) + "calendars/" + url.PathEscape(r.Calendar) + "/events"
	switch {
	case r.isMove():
		query.Set("destination", r.Destination)
		return path + "/" + url.PathEscape(r.Event) + "/move?" + query.Encode()
	case r.isDelete():
		return path + "/" + url.PathEscape(r.Event) + "?" + query.Encode()
	}
	query.Set("conferenceDataVersion", "1")
	query.Set("supportsAttachments", "true")
	if !r.isInsert() {
		path += "/" + url.PathEscape(r.Event)
	}
	return path + "?" + query.Encode()
}

// sendUpdates returns the value of Google's parameter sendUpdates, which selects who is
// mailed.
func sendUpdates(notify string) string {
	switch notify {
	case event.NotifyAll:
		return "all"
	case event.NotifyExternal:
		return "externalOnly"
	}
	return "none"
}

// NewID returns the id of a new event in a calendar of an account. The same key gives the
// same id; without a key the id is random. The form is Google's: 5 to 1024 characters of
// lower-case base32hex.
func NewID(account, calendar, key string) string {
	seed := rand.Text()
	if key != "" {
		seed = strings.Join([]string{account, calendar, key}, "\x00")
	}
	sum := sha256.Sum256([]byte(seed))
	return "kota" + strings.ToLower(base32.HexEncoding.EncodeToString(sum[:20]))
}

// digestOf returns a digest of the content of an insert. It ignores the id of the event and
// the details of a requested video call.
func digestOf(calendar string, e *calendarapi.Event, notify string) (string, error) {
	bare := *e
	bare.Id = ""
	if conference := e.ConferenceData; conference != nil && conference.CreateRequest != nil {
		bare.ConferenceData = &calendarapi.ConferenceData{}
	}
	text, err := json.Marshal(&bare)
	if err != nil {
		return "", fmt.Errorf("write event: %w", err)
	}
	sum := sha256.Sum256([]byte(calendar + "\x00" + sendUpdates(notify) + "\x00" + string(text)))
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}
