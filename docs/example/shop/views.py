from shop.models import Order


def checkout(items):
    order = Order(items)
    return order.pay()


def handle(request):
    return checkout(request["items"])
