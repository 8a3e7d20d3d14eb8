package google

import (
	"log/slog"
	"net/http"
	"reflect"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/gmail/v1"
)

// NewGmail returns the client of Gmail's API that sends its requests with
// client. endpoint is as in Options.
//
// gmail.NewService returns an equal client, but it can also dial Google itself,
// for which the linker adds gRPC to the program: 2 MB. It also writes mail to
// stdout if GOOGLE_SDK_GO_LOGGING_LEVEL is set.
func NewGmail(client *http.Client, endpoint string) *gmail.Service {
	s := &gmail.Service{BasePath: GmailBase(endpoint)}
	connect(s, client)
	s.Users = gmail.NewUsersService(s)
	return s
}

// NewCalendar returns the client of Calendar's API, as NewGmail does.
func NewCalendar(client *http.Client, endpoint string) *calendar.Service {
	s := &calendar.Service{BasePath: CalendarBase(endpoint)}
	connect(s, client)
	s.Acl = calendar.NewAclService(s)
	s.CalendarList = calendar.NewCalendarListService(s)
	s.Calendars = calendar.NewCalendarsService(s)
	s.Channels = calendar.NewChannelsService(s)
	s.Colors = calendar.NewColorsService(s)
	s.Events = calendar.NewEventsService(s)
	s.Freebusy = calendar.NewFreebusyService(s)
	s.Settings = calendar.NewSettingsService(s)
	return s
}

// connect sets the HTTP client of a generated service, and a logger that writes
// nothing. Both fields are unexported.
func connect(service any, client *http.Client) {
	fields := reflect.ValueOf(service).Elem()
	set := func(name string, value any) {
		field := fields.FieldByName(name)
		reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(value))
	}
	set("client", client)
	set("logger", slog.New(slog.DiscardHandler))
}
