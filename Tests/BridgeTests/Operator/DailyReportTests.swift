import Schedules
import Testing
import Tracking

@testable import Bridge

/// The operator's message of each day.
struct DailyReportTests {
    /// 2026-11-27, 00:00 UTC.
    private static let midnight = Timestamp(milliseconds: 1_795_737_600_000)

    /// The hours, since that midnight, at which it is sent.
    private func hours(
        at text: String, offset: Int = 0, looking times: [Int]
    ) throws -> [Int] {
        var report = DailyReport(at: try #require(TimeOfDay(text)))
        return times.filter {
            report.isDue(at: DailyReportTests.midnight + .seconds($0 * 3_600), offset: offset)
        }
    }

    @Test func `The daily report is sent once a day at its time in the machine's time zone`() throws
    {
        #expect(try hours(at: "08:00", looking: Array(0...60)) == [8, 32, 56])
        #expect(try hours(at: "08:00", offset: 3_600, looking: Array(0...60)) == [7, 31, 55])
        #expect(try hours(at: "08:00", offset: -7_200, looking: Array(0...60)) == [10, 34, 58])
    }

    @Test func `A bridge started after the report time waits for the next day`() throws {
        #expect(try hours(at: "08:00", looking: Array(9...40)) == [32])
    }

    @Test func `A clock that was ahead suppresses no day's report`() throws {
        #expect(try hours(at: "08:00", looking: [7, 8, 9 + 960, 9, 31, 32, 33]) == [8, 969, 32])
    }
}
