import Testing
import Tracking

@testable import Anonymity

/// How many people two questions differ by, and whether the second is answered.
private let sizes = [(0, true), (1, false), (4, false), (5, true), (6, true)]

@Suite struct CohortHistoryTests {
    @Test("A cohort has at least k people", arguments: [(4, false), (5, true), (6, true)])
    func fewest(people: Int, isAnswered: Bool) throws {
        var service = CohortService()
        service.town.enter(.init(age: 31), times: people)
        let decision = service.ask(try CohortFilter())
        #expect(decision.isNew == isAnswered)
        #expect(decision.refusal == (isAnswered ? nil : .tooSmall))
    }

    @Test(
        "A quantity and a cell have at least k people",
        arguments: [(4, false), (5, true), (6, true)])
    func fewestOfPart(people: Int, isTold: Bool) throws {
        var service = CohortService()
        service.town.enter(.init(age: 31, cell: 1), times: 20)
        service.town.enter(.init(age: 31, cell: 2), times: people)
        let answer = try #require(service.ask(try CohortFilter()).answer)
        #expect(answer.presence[Presence(hour: 8, cell: 1)] != nil)
        #expect((answer.presence[Presence(hour: 8, cell: 2)] != nil) == isTold)
        #expect(answer.histograms.keys.sorted { $0.rawValue < $1.rawValue } == [.heartRate])

        var tally = CohortTally(of: CohortQuestion(try CohortFilter(), in: 0..<24))
        for number in 0..<20 {
            var contribution = Contribution()
            contribution.add(70, of: .heartRate)
            if number < people { contribution.add(36.6, of: .bodyTemperature) }
            tally.add(contribution, of: number)
        }
        let decision = CohortHistory().decide(
            tally, by: "one", under: service.policy, using: &service.chance)
        #expect((decision.answer?.histograms[.bodyTemperature] != nil) == isTold)
    }

    @Test("Two answers differ by no one or by at least k people", arguments: sizes)
    func differences(people: Int, isAnswered: Bool) throws {
        for widerFirst in [true, false] {
            var service = CohortService()
            service.town.enter(.init(age: 31), times: 20)
            service.town.enter(.init(age: 36), times: people)
            let wide = try CohortFilter(ageFrom: 30, to: 40)
            let narrow = try CohortFilter(ageFrom: 30, to: 35)
            #expect(service.ask(widerFirst ? wide : narrow, by: "one").isNew)
            let second = service.ask(widerFirst ? narrow : wide, in: 0..<24, by: "two")
            #expect((second.answer != nil) == isAnswered)
            #expect(second.refusal == (isAnswered ? nil : .tooRevealing))
        }
    }

    @Test("Cells are compared on their own, even if the cohorts differ by many", arguments: sizes)
    func differencesOfPart(people: Int, isTold: Bool) throws {
        var service = CohortService()
        service.town.enter(.init(age: 31, cell: 1), times: 20)
        service.town.enter(.init(age: 36, cell: 1), times: people)
        service.town.enter(.init(age: 36, cell: 2), times: 20)
        _ = service.ask(try CohortFilter(ageFrom: 30, to: 35), by: "one")
        let answer = try #require(
            service.ask(try CohortFilter(ageFrom: 30, to: 40), by: "two").answer)
        #expect((answer.presence[Presence(hour: 8, cell: 1)] != nil) == isTold)
        #expect(answer.presence[Presence(hour: 8, cell: 2)] != nil)
    }

    @Test("Only windows that share an hour are compared")
    func windows() throws {
        var service = CohortService()
        service.town.enter(.init(age: 31), times: 20)
        #expect(service.ask(try CohortFilter(), in: 0..<24).isNew)
        service.town.enter(.init(age: 31))
        #expect(service.ask(try CohortFilter(), in: 23..<30).refusal == .tooRevealing)
        #expect(service.ask(try CohortFilter(), in: 0..<720).refusal == .tooRevealing)
        #expect(service.ask(try CohortFilter(), in: 24..<48).isNew)
    }

    @Test("The next answer does not reveal an erased or replaced person")
    func erasure() throws {
        var service = CohortService()
        service.town.enter(.init(age: 31), times: 20)
        let first = service.ask(try CohortFilter(ageFrom: 30, to: 35)).answer
        service.town.leave(7)
        #expect(service.ask(try CohortFilter(ageFrom: 30, to: 40)).refusal == .tooRevealing)
        service.town.enter(.init(age: 31))
        #expect(service.ask(try CohortFilter(ageFrom: 30, to: 40)).refusal == .tooRevealing)
        #expect(service.ask(try CohortFilter(ageFrom: 30, to: 35)).answer == first)
    }

    @Test("Three answers that differ pairwise by many do not isolate one person")
    func threeAnswers() throws {
        var service = CohortService()
        service.town.enter(.init(age: 31), times: 20)
        service.town.enter(.init(age: 36), times: 20)
        #expect(service.ask(try CohortFilter(ageFrom: 30, to: 40)).isNew)
        service.town.enter(.init(age: 36))
        #expect(service.ask(try CohortFilter(ageFrom: 30, to: 35)).isNew)
        #expect(service.ask(try CohortFilter(ageFrom: 35, to: 40)).refusal == .tooRevealing)
    }

    @Test("The same cohort gets the same answer at no cost, in any wording, for anyone")
    func askingAgain() throws {
        var service = CohortService()
        service.policy = CohortPolicy(
            k: 5, cost: .of(1), requesterBudget: .of(1), dataBudget: .of(1))
        service.town.enter(.init(age: 31), times: 20)
        let first = try #require(service.ask(try CohortFilter(ageFrom: 30, to: 35)).answer)
        for to in stride(from: 35, through: 120, by: 5) {
            for requester in ["one", "two"] {
                let again = service.ask(try CohortFilter(ageFrom: 30, to: to), by: requester)
                #expect(again.isKnown)
                #expect(again.answer == first)
            }
        }
        #expect(service.history.records.count == 1)
    }

    @Test("The budgets per requester and for all requesters apply to each hour of data")
    func budgets() throws {
        var service = CohortService()
        service.policy = CohortPolicy(
            k: 5, cost: .of(1), requesterBudget: .of(2), dataBudget: .of(3))
        service.town.enter(.init(age: 31), times: 20)
        let all = try CohortFilter()
        #expect(service.ask(all, in: 0..<24, by: "one").isNew)
        #expect(service.ask(all, in: 12..<36, by: "one").isNew)
        #expect(service.ask(all, in: 20..<22, by: "one").refusal == .requesterBudgetSpent)
        #expect(service.ask(all, in: 0..<12, by: "one").isNew)
        // No hour has cost this requester more than two, and the last hours have cost one.
        #expect(service.ask(all, in: 24..<36, by: "one").isNew)
        #expect(service.ask(all, in: 23..<25, by: "two").isNew)
        #expect(service.ask(all, in: 23..<24, by: "two").refusal == .dataBudgetSpent)
        #expect(service.ask(all, in: 40..<48, by: "two").isNew)
    }

    @Test("An answer is close to the true value but not equal to it")
    func closeness() throws {
        var service = CohortService(seed: 11)
        service.town.enter(.init(age: 31, heartRate: 65), times: 3000)
        service.town.enter(.init(age: 31, heartRate: 95), times: 1000)
        let answers = try (0..<50).map { day in
            try #require(service.ask(try CohortFilter(), in: day * 24..<(day + 1) * 24).answer)
        }
        let people = answers.map { Double($0.people - 4000) }
        // The scale is 12, so the deviation is 12 · √2; five of them for the mean of fifty.
        #expect(abs(people.reduce(0, +) / 50) < 5 * 17 / 50.0.squareRoot())
        #expect(people.contains { $0 != 0 })
        for answer in answers {
            let mean = try #require(answer.histograms[.heartRate]?.mean)
            #expect(abs(mean - 72.5) < 5)
        }
    }
}
