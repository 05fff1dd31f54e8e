import Schedules
import Testing

/// Rules as texts.
struct RecurrenceReadingTests {
    @Test(arguments: [
        ("FREQ=DAILY", "FREQ=DAILY"),
        ("freq=weekly;byday=we,mo,we", "FREQ=WEEKLY;BYDAY=MO,WE"),
        ("INTERVAL=1;FREQ=DAILY;WKST=MO", "FREQ=DAILY"),
        (
            "BYDAY=-1FR,1MO,+2MO;FREQ=MONTHLY;INTERVAL=3",
            "FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO,2MO,-1FR"
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=31,-1,1,-31", "FREQ=MONTHLY;BYMONTHDAY=1,31,-31,-1"),
        (
            "FREQ=YEARLY;BYMONTH=12,1;BYDAY=20MO;BYSETPOS=-1,1;WKST=SU;COUNT=5",
            "FREQ=YEARLY;COUNT=5;BYMONTH=1,12;BYDAY=20MO;BYSETPOS=-1,1;WKST=SU"
        ),
        ("FREQ=DAILY;UNTIL=19971224T000000Z", "FREQ=DAILY;UNTIL=19971224T000000Z"),
        ("UNTIL=19971224T093000;FREQ=DAILY", "FREQ=DAILY;UNTIL=19971224T093000"),
        ("FREQ=DAILY;UNTIL=20240229", "FREQ=DAILY;UNTIL=20240229"),
        ("FREQ=DAILY;INTERVAL=1000;COUNT=2000", "FREQ=DAILY;INTERVAL=1000;COUNT=2000"),
    ])
    func `A rule has one canonical text`(text: String, canonical: String) throws {
        let rule = try Recurrence(text)
        #expect(rule.text == canonical)
        #expect(try Recurrence(rule.text) == rule)
    }

    @Test(arguments: [
        ("", Recurrence.Refusal.malformed), (";", .malformed), ("FREQ", .malformed),
        ("FREQ=DAILY;", .malformed), ("FREQ=DAILY=DAILY", .malformed),
        ("RRULE:FREQ=DAILY", .unknownPart), ("FREQ=DAILY;X-A=1", .unknownPart),
        ("FREQ =DAILY", .unknownPart), ("FREQ=DAILY;SKIP=OMIT", .unknownPart),
        ("INTERVAL=2", .missing(.frequency)), ("FREQ=DAILY;FREQ=DAILY", .repeated(.frequency)),
        ("FREQ=HOURLY", .unsupportedFrequency), ("FREQ=SECONDLY", .unsupportedFrequency),
        ("FREQ=SOMETIMES", .invalid(.frequency)), ("FREQ=", .invalid(.frequency)),
        ("FREQ=DAILY;BYHOUR=9,17", .unsupported(.byHour)),
        ("FREQ=DAILY;BYMINUTE=0", .unsupported(.byMinute)),
        ("FREQ=DAILY;BYSECOND=0", .unsupported(.bySecond)),
        ("FREQ=YEARLY;BYYEARDAY=1", .unsupported(.byYearDay)),
        ("FREQ=YEARLY;BYWEEKNO=20", .unsupported(.byWeekNumber)),
        ("FREQ=DAILY;INTERVAL=0", .invalid(.interval)),
        ("FREQ=DAILY;INTERVAL=-1", .invalid(.interval)),
        ("FREQ=DAILY;INTERVAL=1001", .invalid(.interval)),
        ("FREQ=DAILY;INTERVAL=99999999999999999999", .invalid(.interval)),
        ("FREQ=DAILY;COUNT=0", .invalid(.count)), ("FREQ=DAILY;COUNT=2001", .invalid(.count)),
        ("FREQ=DAILY;COUNT=+1", .invalid(.count)), ("FREQ=DAILY;COUNT= 1", .invalid(.count)),
        ("FREQ=DAILY;UNTIL=2024", .invalid(.until)),
        ("FREQ=DAILY;UNTIL=20230229", .invalid(.until)),
        ("FREQ=DAILY;UNTIL=20240101T0000Z", .invalid(.until)),
        ("FREQ=DAILY;UNTIL=20240101T240000Z", .invalid(.until)),
        ("FREQ=DAILY;UNTIL=20240101T000000ZZ", .invalid(.until)),
        ("FREQ=DAILY;COUNT=2;UNTIL=20240101", .bothCountAndUntil),
        ("FREQ=YEARLY;BYMONTH=13", .invalid(.byMonth)),
        ("FREQ=YEARLY;BYMONTH=0", .invalid(.byMonth)),
        ("FREQ=YEARLY;BYMONTH=-1", .invalid(.byMonth)),
        ("FREQ=YEARLY;BYMONTH=", .invalid(.byMonth)),
        ("FREQ=MONTHLY;BYMONTHDAY=32", .invalid(.byMonthDay)),
        ("FREQ=MONTHLY;BYMONTHDAY=0", .invalid(.byMonthDay)),
        ("FREQ=MONTHLY;BYMONTHDAY=1,,2", .invalid(.byMonthDay)),
        ("FREQ=MONTHLY;BYMONTHDAY=-9223372036854775808", .invalid(.byMonthDay)),
        ("FREQ=WEEKLY;BYDAY=XX", .invalid(.byDay)), ("FREQ=WEEKLY;BYDAY=", .invalid(.byDay)),
        ("FREQ=MONTHLY;BYDAY=0MO", .invalid(.byDay)), ("FREQ=YEARLY;BYDAY=54MO", .invalid(.byDay)),
        ("FREQ=MONTHLY;BYDAY=-MO", .invalid(.byDay)),
        ("FREQ=WEEKLY;WKST=1MO", .invalid(.weekStart)),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", .invalid(.bySetPosition)),
        ("FREQ=DAILY;BYSETPOS=1", .nothingToChooseFrom),
        ("FREQ=WEEKLY;BYMONTHDAY=1", .excluded(.byMonthDay, by: .weekly)),
        ("FREQ=WEEKLY;BYDAY=1MO", .numberedWeekday(.weekly)),
        ("FREQ=DAILY;BYDAY=-1SU", .numberedWeekday(.daily)),
        (String(repeating: "FREQ=DAILY;", count: 46), .tooLong),
        (String(repeating: "é", count: 100_000), .tooLong),
    ])
    func `A refused rule has a reason`(text: String, reason: Recurrence.Refusal) {
        #expect(throws: reason) { try Recurrence(text) }
        #expect(!reason.sentence.isEmpty)
    }

    @Test func `The reason is a sentence that names the part`() {
        #expect(Recurrence.Refusal.unsupported(.byHour).sentence == "BYHOUR is not supported")
        #expect(Recurrence.Refusal.unsupported(.byHour).part == .byHour)
        #expect(
            Recurrence.Refusal.excluded(.byMonthDay, by: .weekly).sentence
                == "BYMONTHDAY cannot be used with FREQ=WEEKLY")
    }
}
