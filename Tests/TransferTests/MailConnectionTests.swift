import Testing

@testable import Transfer

struct MailConnectionTests {
    @Test func `A connection accepts ten messages, and closes when none is waiting`() {
        var connection = MailConnection()
        let first = (0..<12).map { _ in connection.stays(othersWait: true) }
        #expect(first == Array(repeating: true, count: 9) + [false, true, true])
        let last = connection.stays(othersWait: false)
        #expect(!last)
        let second = (0..<10).map { _ in connection.stays(othersWait: true) }
        #expect(second == Array(repeating: true, count: 9) + [false])
    }
}
