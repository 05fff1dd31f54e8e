import Anonymity
import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Counting in cohorts, and the replies to third parties.
struct CohortTests {
    @Test func `An hour is counted once it is complete, later data is not`() throws {
        let world = try World.withCohort(of: 4)
        try world.beat(1...3, rate: 72)
        let first = Int64(world.now.milliseconds / 3_600_000)
        #expect(
            try world.people(#""from":\#(first * 3_600_000),"to":\#((first + 1) * 3_600_000)"#)
                == "invalid: to must not be later than 2026-05-01T10:00:00.000Z")
        let hour = try world.completeHour()
        #expect(try world.people(hour) == "3")
        // Later than allowed.
        let late = world.now.milliseconds / 3_600_000 * 3_600_000 - 3_600_000
        try world.vitals("p4", rate: 80, ago: .milliseconds(world.now.milliseconds - late))
        try world.completeHour()
        #expect(try world.people(hour) == "3")
        #expect(try world.people(#""gender":"female","# + hour) == "3")
        #expect(
            try world.people(#""gender":"male","# + hour) == "cohort-too-small")
    }

    @Test func `An answer has bands, a mean and percentiles, and presence in cells`() throws {
        let world = try World.withCohort(of: 3)
        for (person, rate) in [("p1", 60), ("p2", 70), ("p3", 80)] {
            let sender = Sender(stringLiteral: person)
            try world.vitals(sender, rate: rate - 5)
            world.sleep(.seconds(1))
            try world.vitals(sender, rate: rate + 5)
            try world.fix(sender, TestFix(0, ago: 2), TestFix(10, ago: 1), TestFix(500))
        }
        let hour = try world.completeHour()
        let answer = try world.askAsService("cohort.query", "{\(hour)}")["result"]
        let rates = answer?["heartRate"]
        #expect(
            rates?["people"]?.elements.compactMap(\.integer).prefix(7) == [0, 0, 0, 1, 1, 1, 0])
        #expect(rates?["mean"]?.number == 75 && rates?["percentiles"]?["50"]?.number == 75)
        // Ten metres are within the inaccuracy of positions.
        #expect(answer?["distance"]?["people"]?.elements.first?.integer == 3)
        #expect(answer?["oxygenSaturation"] == nil)
        let place = answer?["presence"]?.elements.first
        #expect(place?["hour"]?.integer == 10 && place?["people"]?.integer == 3)
        #expect(answer?["presence"]?.elements.count == 1)
        #expect(answer?["from"]?.text == "2026-05-01T10:00:00.000Z")
    }

    @Test(arguments: [(2, "cohort-too-small"), (3, "3"), (4, "4")])
    func `An answer covers at least k people`(count: Int, expected: String) throws {
        let world = try World.withCohort(of: 4)
        try world.beat(1...count)
        #expect(try world.people(world.completeHour()) == expected)
    }

    @Test func `Two answers never differ by fewer than k people across requesters`() throws {
        let world = try World.withCohort(of: 3)
        try world.join(4, #""gender":"male""#)
        try world.beat(1...4)
        let hour = try world.completeHour()
        #expect(try world.people(hour) == "4")
        #expect(try world.people(#""gender":"female","# + hour) == "cohort-too-revealing")
        try world.makeCompany("other")
        try world.makeService("yours", of: "other/desk")
        #expect(
            try world.people(#""gender":"female","# + hour, by: "yours") == "cohort-too-revealing")
        // The same question gets its answer.
        #expect(try world.people(hour, by: "yours") == "4")
    }

    @Test func `The budget of an hour is limited, and a repeated question costs nothing`() throws {
        let world = try World.withCohort(of: 6, budget: 1)
        try world.join(7, #""gender":"male","dateOfBirth":"1990-01-01""#)
        for number in 8...9 {
            try world.join(number, #""gender":"male","dateOfBirth":"1960-01-01""#)
        }
        try world.beat(1...9)
        let hour = try world.completeHour()
        #expect(try world.people(hour) == "9")
        #expect(try world.people(hour) == "9")
        #expect(try world.people(#""gender":"female","# + hour) == "cohort-too-revealing")
        try world.restart()
        #expect(try world.people(hour) == "9")
    }

    @Test func `Only a company with a second factor can query, with few refusals a day`() throws {
        let world = try World.withCohort(of: 3)
        try world.beat(1...3)
        let hour = try world.completeHour()
        #expect(
            try world.ask("acme/desk", "cohort.query", "{\(hour)}")["result"]?["people"]?.integer
                == 3)
        #expect(try world.outcome("p1", "cohort.query", "{\(hour)}") == "not-allowed")
        try world.makeCompany("lazy", secondFactor: false)
        #expect(
            try world.outcome("lazy/desk", "cohort.query", "{\(hour)}")
                == "second-factor-required")
        for _ in 1...BridgeSettings.maximumCohortRefusals {
            #expect(try world.people(#""gender":"male","# + hour) == "cohort-too-small")
        }
        #expect(try world.people(#""gender":"male","# + hour) == "too-many-attempts")
        #expect(try world.people(hour) == "3")
        try world.pass(.seconds(86_401))
        #expect(try world.people(#""gender":"male","# + hour) == "cohort-too-small")
    }

    @Test(arguments: [
        (#""age":{"from":31}"#, "invalid: age must begin and end at multiples of 5"),
        (#""age":{"from":40,"to":40}"#, "invalid: age must end after it begins, from 0 to 120"),
        (#""age":5"#, "invalid: age must be an object"),
        (#""gender":"x""#, "invalid: gender must be female, male or other"),
        (#""residence":" ""#, "invalid: residence must have 1 to 100 bytes"),
        (#""from":3600000"#, "invalid: to is missing"),
        (#""from":1,"to":3600000"#, "invalid: from must be a whole hour"),
        (
            #""from":3600000,"to":3600000"#,
            "invalid: to must be later than from, by at most 744 hours"
        ),
        (#""from":3600000,"to":7200000"#, "too-old"),
    ])
    func `An invalid query is rejected`(fields: String, outcome: String) throws {
        let world = try World.withCohort(of: 3)
        try world.beat(1...3)
        try world.completeHour()
        #expect(try world.people(fields) == outcome)
    }

    @Test func `Ages are half-open at the window's end; residences ignore case and spaces`() throws
    {
        let world = try World.withCohort(of: 1)
        // 30 on the day itself, 29, 34, and 35 the day after.
        for (number, birth) in [
            (2, "1996-05-01"), (3, "1996-05-02"), (4, "1991-05-02"), (5, "1991-05-03"),
            (6, "1991-05-01"),
        ] {
            try world.join(number, #""dateOfBirth":"\#(birth)","residence":"Novo  MESTO""#)
        }
        try world.beat(1...6)
        let hour = try world.completeHour()
        #expect(try world.people(#""age":{"from":30,"to":35},"# + hour) == "3")
        let other = try World.withCohort(of: 1)
        for number in 2...4 { try other.join(number, #""residence":"Novo  MESTO""#) }
        try other.beat(1...4)
        #expect(try other.people(#""residence":"novo mesto","# + other.completeHour()) == "3")
    }

    @Test func `All quantities that wearables measure are counted`() {
        let counted = Set(Quantity.vitals.map(\.name))
        #expect(counted == Set(VitalSigns.Quantity.allCases.map(\.rawValue)))
    }
}

/// The scenario of a company's city queries (S4, U7), with the limits that hold for everyone.
struct LocalStatsTests {
    @Test func `S4, U7: Women of 30 to 35 in Lausanne are too few, those of 25 to 35 are not`()
        throws
    {
        let world = try World.withCohort(of: 1, k: 1_000)
        for number in 2...1_121 {
            // 900 are 31 years old, 220 are 27.
            let year = number <= 901 ? 1995 : 1999
            try world.join(
                number,
                #""gender":"female","residence":"Lausanne","dateOfBirth":"\#(year)-01-15""#)
        }
        try world.beat(1...1_121)
        let hour = try world.completeHour()
        func women(_ from: Int, _ to: Int) throws -> String {
            try world.people(
                #""age":{"from":\#(from),"to":\#(to)},"gender":"female","residence":"Lausanne","#
                    + hour)
        }
        #expect(try women(30, 35) == "cohort-too-small")
        #expect(try women(25, 35) == "1120")
    }
}
