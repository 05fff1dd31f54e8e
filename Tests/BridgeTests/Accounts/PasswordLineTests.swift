import Contract
import Testing

@testable import Bridge

/// The order of password checks beside a directory.
struct PasswordLineTests {
    /// Carol has a Kith password, and `count` directory users log in before her.
    private func work(_ count: Int, _ password: String = "correct horse") throws -> [PasswordWork] {
        let world = try World.withDirectory()
        try world.register()
        world.worksOnPasswords = false
        var work: [PasswordWork] = []
        for number in 0..<count {
            try world.turn([
                try world.guestMessage(
                    "account.login",
                    #"{"login":"student-\#(number)","password":"x","device":"phone"}"#,
                    from: "mosq-\(number)")
            ])
            work += world.engine.takeWork(PasswordWork.self)
        }
        try world.turn([
            try world.guestMessage(
                "account.login",
                #"{"login":"carol","password":"\#(password)","device":"phone"}"#)
        ])
        return work + world.engine.takeWork(PasswordWork.self)
    }

    @Test func `Kith accounts do not wait for directory logins`() throws {
        let work = try work(100)
        // The places for directory logins are full, and hers is free.
        #expect(work.count(where: \.isOfDirectory) < 100)
        let own = try #require(work.last)
        #expect(!own.isOfDirectory)
        var line = PasswordLine()
        for each in work { line.append(each) }
        let next = line.next()
        let first = try #require(next)
        #expect(first.id == own.id)
        let outcome = first.perform()
        #expect(outcome.isRight)
        #expect(line.finish(outcome).map(\.work) == [own.id])
    }

    @Test func `A wrong password is answered in its turn and reveals no account`() throws {
        let work = try work(5, "a wrong one")
        var line = PasswordLine()
        for each in work { line.append(each) }
        var told: [UInt64] = []
        while let next = line.next() { told += line.finish(next.perform()).map(\.work) }
        #expect(told == work.map(\.id))
    }

    @Test func `Passwords are checked in order of arrival without a directory`() throws {
        let world = try World()
        try world.register()
        world.worksOnPasswords = false
        for name in ["nobody", "carol", "nobody"] {
            try world.turn([
                try world.guestMessage(
                    "account.login",
                    #"{"login":"\#(name)","password":"correct horse","device":"phone"}"#)
            ])
        }
        let work = world.engine.takeWork(PasswordWork.self)
        var line = PasswordLine()
        for each in work { line.append(each) }
        var told: [UInt64] = []
        while let next = line.next() { told += line.finish(next.perform()).map(\.work) }
        #expect(work.count == 3 && told == work.map(\.id))
    }
}
