from shop.storage import write


class Model:
    def save(self):
        return write(self)


class Order(Model):
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(self.items)

    def pay(self):
        bill = self.total()
        self.save()
        return bill
